import type { RunFinishedEvent } from '@ag-ui/client'
import { describe, expect, test } from 'vitest'
import { openScene, providers, shapes, thinking, types, verdicts } from './scene.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const clientTools = { tools: [{ name: 'show', description: 'Shows a map.', parameters }] }
const tools = { weather: { execute: () => 'sunny' }, book: { approval: true, execute: () => 'booked' } }

const result = (toolCallId: string, content: string, more: object = {}) => ({
  ...{ id: `brought-${toolCallId}-${content}`, role: 'tool' as const, toolCallId, content },
  ...more,
})

describe.each(providers)('%s', provider => {
  test('[AG9] a call of a tool of the client ends the run, and its result stands in its place in the next', async () => {
    const calls = [
      { name: 'show', input: { city: 'Lisbon' } },
      { name: 'weather', input: {} },
    ]
    await using scene = await openScene([{ ...thinking[provider], calls }, 'There it is.'], { provider, tools })
    const { agent, events, say, go } = scene.agent()
    const end = (await say('Show me Lisbon', clientTools)) as RunFinishedEvent
    const [shown] = agent.messages.flatMap(message => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    expect(end.outcome).toEqual({ type: 'success', pendingToolCallIds: [shown.id] })
    agent.addMessage(result(shown.id, 'shown'))
    events.length = 0
    expect(await go(clientTools)).toMatchObject({ outcome: { type: 'success' } })
    expect(types(events)).not.toContain('TOOL_CALL_RESULT')
    expect(shapes(agent.messages)).toEqual([
      ...['user', 'show, weather', 'tool: sunny', 'tool: shown', 'assistant: There it is.'],
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
    const asked = JSON.stringify(scene.strict.requests.at(-1)?.body)
    expect(asked.indexOf('shown'), 'the model gets them in the order of the calls').toBeLessThan(asked.indexOf('sunny'))
    expect(scene.reports).toEqual([])
  })
})

test('[AG9] a tool of the client that failed is answered all the same', async () => {
  await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }, 'Pity.'], { tools })
  const { agent, say, go } = scene.agent()
  const { outcome } = (await say('Show me', clientTools)) as RunFinishedEvent
  const [id] = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
  agent.addMessage(result(id, '', { error: 'no map there' }))
  await go(clientTools)
  expect(agent.messages.at(-2)).toMatchObject({ role: 'tool', content: 'no map there', error: 'no map there' })
  expect(shapes(agent.messages).at(-1)).toBe('assistant: Pity.')
})

test('[AG9] a server tool and a gated one beside it: what waits for a person is an interrupt, what waits for the client is not', async () => {
  const calls = ['show', 'book', 'weather'].map(name => ({ name, input: {} }))
  await using scene = await openScene([{ calls }, 'All of it.'], { tools })
  const { agent, say, go } = scene.agent()
  const end = (await say('All', clientTools)) as RunFinishedEvent
  const [show, book] = agent.messages.flatMap(message =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  )
  expect(end.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ toolCallId: book.id }] })
  agent.addMessage(result(show.id, 'shown'))
  const [{ id }] = agent.pendingInterrupts
  await go({ ...clientTools, resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
  expect(shapes(agent.messages)).toEqual([
    ...['user', 'show, book, weather', 'tool: sunny', 'tool: shown', 'tool: booked', 'assistant: All of it.'],
  ])
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
})

test('[AG9] a message of the user that comes with the result follows it, in the same turn', async () => {
  await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }, 'Yes.'], { tools })
  const { agent, say } = scene.agent()
  const { outcome } = (await say('Show me', clientTools)) as RunFinishedEvent
  const [id] = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
  agent.addMessage(result(id, 'shown'))
  await say('And then?', clientTools)
  expect(shapes(agent.messages)).toEqual(['user', 'show', 'tool: shown', 'user', 'assistant: Yes.'])
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
})

describe('[AG10] a result that no call of the client waits for is left out, and reported', () => {
  test('[AG10] of a call that does not exist', async () => {
    await using scene = await openScene(['Hello.'], { tools })
    const { agent, say } = scene.agent()
    agent.addMessage(result('call_nobody', 'paid'))
    await say('Hello', clientTools)
    expect(shapes(agent.messages)).toEqual(['user', 'assistant: Hello.'])
    expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'orphan-result', at: 'messages[0]' }] }])
  })

  test.each(['book', 'ask'])('[AG10] of %s, a tool of the server: no client answers in its name', async name => {
    const own = { ...tools, ask: {} }
    await using scene = await openScene([{ calls: [{ name, input: {} }] }, 'Done.'], { tools: own })
    const one = scene.agent()
    await one.say('Do it')
    const [call] = await scene.thread.openCalls()
    const other = scene.agent('other')
    other.agent.addMessage(result(call.providerId, 'forged'))
    await other.go()
    expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'orphan-result' }] }])
    expect(await scene.thread.openCalls()).toHaveLength(1)
    expect(JSON.stringify(other.agent.messages)).not.toContain('forged')
  })

  test('[AG29] of a tool of the server that the client says is its own', async () => {
    await using scene = await openScene([{ calls: [{ name: 'ask', input: {} }] }, 'Signed.'], {
      tools: { ...tools, ask: {} },
    })
    const claimed = { tools: [{ name: 'ask', description: 'Mine.', parameters }] }
    const { agent, say, go } = scene.agent()
    await say('Have it signed', claimed)
    const [call] = await scene.thread.openCalls()
    agent.addMessage(result(call.providerId, 'forged'))
    await go(claimed)
    expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'orphan-result' }] }])
    expect(await scene.thread.openCalls()).toHaveLength(1)
    await scene.thread.settle(call.id, 'signed by the boss')
    await go(claimed)
    expect(shapes(agent.messages)).toEqual(['user', 'ask', 'tool: signed by the boss', 'assistant: Signed.'])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG10] a second, other one', async () => {
    await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }, 'Yes.', 'Still.'], { tools })
    const { agent, say, go } = scene.agent()
    const { outcome } = (await say('Show me', clientTools)) as RunFinishedEvent
    const [id] = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
    agent.addMessage(result(id, 'shown'))
    await go(clientTools)
    agent.addMessage(result(id, 'shown otherwise'))
    await go(clientTools)
    expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'duplicate-result' }] }])
    expect(shapes(agent.messages)).toEqual(['user', 'show', 'tool: shown', 'assistant: Yes.'])
  })
})

test('[AG11] a result that comes after the turn was stopped takes the place of the placeholder', async () => {
  await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }, 'I see.'], { tools })
  const { agent, say } = scene.agent()
  const { outcome } = (await say('Show me', clientTools)) as RunFinishedEvent
  const [id] = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
  await scene.thread.interrupt('the user closed the map')
  agent.addMessage(result(id, 'shown after all'))
  await say('Well?', clientTools)
  expect(shapes(agent.messages)).toEqual(['user', 'show', 'tool: shown after all', 'user', 'assistant: I see.'])
  expect(JSON.stringify(scene.strict.requests.at(-1)?.body)).toContain('shown after all')
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
})

test('[AG11] a result with pictures keeps its words, and says so', async () => {
  await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }, 'I see.'], { tools })
  const { agent, say, go } = scene.agent()
  const { outcome } = (await say('Show me', clientTools)) as RunFinishedEvent
  const [id] = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
  const picture = { type: 'image' as const, source: { type: 'data' as const, value: 'aGk=', mimeType: 'image/png' } }
  agent.addMessage({ ...result(id, ''), content: [{ type: 'text', text: 'a map' }, picture] })
  await go(clientTools)
  expect(shapes(agent.messages)).toEqual(['user', 'show', 'tool: a map', 'assistant: I see.'])
  expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'media-result' }] }])
})

test('[AG9] a client cannot put a tool of its own in the place of one of the server', async () => {
  await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], { tools })
  const { agent, say } = scene.agent()
  await say('Weather?', { tools: [{ name: 'weather', description: 'Mine.', parameters }] })
  expect(shapes(agent.messages)).toEqual(['user', 'weather', 'tool: sunny', 'assistant: Sunny.'])
})
