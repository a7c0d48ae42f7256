import type { Interrupt, Message, RunFinishedEvent } from '@ag-ui/client'
import { describe, expect, test } from 'vitest'
import { lastSnapshot, openScene, providers, shapes, shortened, thinking, types, verdicts } from './scene.ts'

const tools = {
  weather: { execute: () => 'sunny' },
  book: { approval: true, execute: ({ city }: { city?: string }) => `booked ${city}` },
}

const approve = (interruptId: string) => ({ interruptId, status: 'resolved' as const, payload: { approved: true } })
const deny = (interruptId: string, reason?: string) => ({
  ...{ interruptId, status: 'resolved' as const },
  payload: { approved: false, ...(reason === undefined ? {} : { reason }) },
})

describe.each(providers)('%s', provider => {
  test('[AG1] text and a gated call in one turn: approved, its result stands in its place, for the model and in the snapshot', async () => {
    const step = {
      ...thinking[provider],
      text: 'I will book it.',
      calls: [
        { name: 'weather', input: { city: 'Porto' } },
        { name: 'book', input: { city: 'Lisbon' } },
      ],
    }
    await using scene = await openScene([step, { text: 'It is booked.' }], { provider, tools })
    const { agent, events, say, go } = scene.agent()
    const told: Message[][] = []
    agent.subscribe({
      onMessagesSnapshotEvent: ({ messages }) => void told.push(structuredClone(messages) as Message[]),
    })
    const end = (await say('Book me a flight')) as RunFinishedEvent
    expect(shortened(types(events))).toEqual([
      ...['RUN_STARTED', 'STEP_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
      ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END'],
      ...['TOOL_CALL_RESULT', 'STEP_FINISHED', 'MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT', 'RUN_FINISHED'],
    ])
    const [{ id, toolCallId }] = agent.pendingInterrupts
    expect(end.outcome).toMatchObject({ type: 'interrupt', interrupts: [{ reason: 'tool_call', toolCallId }] })
    expect(shapes(agent.messages)).toEqual(['user', 'assistant: I will book it.', 'weather, book', 'tool: sunny'])

    events.length = 0
    expect(await go({ resume: [approve(id)] })).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(shortened(types(events))).toEqual([
      ...['RUN_STARTED', 'TOOL_CALL_RESULT', 'STEP_STARTED'],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'STEP_FINISHED'],
      ...['MESSAGES_SNAPSHOT', 'RUN_FINISHED'],
    ])
    expect(shapes(agent.messages)).toEqual([
      ...['user', 'assistant: I will book it.', 'weather, book', 'tool: sunny', 'tool: booked Lisbon'],
      'assistant: It is booked.',
    ])
    expect(agent.messages).toEqual(lastSnapshot(events))
    expect(told.at(-1), 'what was streamed is what the snapshot says').toEqual(agent.messages)
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
    const asked = JSON.stringify(scene.strict.requests.at(-1)?.body)
    expect(asked.indexOf('sunny')).toBeLessThan(asked.indexOf('booked Lisbon'))
    expect(scene.reports).toEqual([])
  })

  test('[AG2] several at once, partly denied: each call has its own answer, in its place', async () => {
    const calls = ['Lisbon', 'Porto', 'Faro'].map(city => ({ name: 'book', input: { city } }))
    await using scene = await openScene([{ ...thinking[provider], text: 'Three.', calls }, 'Two of them.'], {
      provider,
      tools,
    })
    const { agent, events, say, go } = scene.agent()
    await say('Book them all')
    const [lisbon, porto, faro] = agent.pendingInterrupts
    events.length = 0
    await go({ resume: [approve(faro.id), deny(porto.id, 'too expensive'), approve(lisbon.id)] })
    expect(types(events).filter(type => type === 'TOOL_CALL_RESULT')).toHaveLength(3)
    expect(types(events).filter(type => type === 'MESSAGES_SNAPSHOT')).toHaveLength(1)
    const results = agent.messages.filter(message => message.role === 'tool')
    const of = ({ toolCallId }: Interrupt) => results.filter(result => result.toolCallId === toolCallId)
    expect(of(lisbon)).toEqual([expect.objectContaining({ content: 'booked Lisbon' })])
    expect(of(faro)).toEqual([expect.objectContaining({ content: 'booked Faro' })])
    expect(of(porto)).toEqual([expect.objectContaining({ error: expect.stringContaining('too expensive') })])
    expect(shapes(agent.messages).slice(0, 3)).toEqual(['user', 'assistant: Three.', 'book, book, book'])
    expect(shapes(agent.messages).at(-1)).toBe('assistant: Two of them.')
    const asked = JSON.stringify(scene.strict.requests.at(-1)?.body)
    expect(asked.indexOf('booked Lisbon')).toBeLessThan(asked.indexOf('too expensive'))
    expect(asked.indexOf('too expensive')).toBeLessThan(asked.indexOf('booked Faro'))
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
    expect(agent.pendingInterrupts).toEqual([])
  })
})

test('[AG3] an approval that one agent raised is answered in the run of another, which has never seen the thread', async () => {
  await using scene = await openScene([{ text: 'Well.', calls: [{ name: 'book', input: {} }] }, 'Done.'], { tools })
  const one = scene.agent('one')
  await one.say('Book it')
  const other = scene.agent('other')
  const [{ id }] = one.agent.pendingInterrupts
  await other.go({ resume: [approve(id)] })
  expect(types(other.events).slice(0, 3)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'TOOL_CALL_RESULT'])
  expect(shapes(other.agent.messages)).toEqual([
    'user',
    'assistant: Well.',
    'book',
    'tool: booked undefined',
    'assistant: Done.',
  ])
  // The first one still thinks that it has to answer: that does no harm.
  expect(await one.go({ resume: [approve(id)] })).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(one.agent.messages).toEqual(other.agent.messages)
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
})

test('[AG4] a second answer learns the first: the call runs once, and a contrary one is reported', async () => {
  const ran: string[] = []
  const counted = { book: { approval: true, execute: () => void ran.push('book') } }
  await using scene = await openScene([{ calls: [{ name: 'book', input: {} }] }, 'Done.'], { tools: counted })
  const { agent, say, go } = scene.agent()
  await say('Book it')
  const [{ id }] = agent.pendingInterrupts
  await go({ resume: [approve(id)] })
  await go({ resume: [approve(id)] })
  expect(scene.reports).toEqual([])
  expect(await go({ resume: [deny(id)] })).toMatchObject({ type: 'RUN_FINISHED' })
  expect(scene.reports).toMatchObject([{ thread: 't', repairs: [{ rule: 'late-answer', at: 'resume[0]' }] }])
  expect(ran).toEqual(['book'])
  expect(scene.strict.requests.length).toBe(2)
})

describe('[AG5] an answer that is not clear is an error, and then none of them counts', () => {
  const cases: [string, string, (id: string) => object][] = [
    [
      'an interrupt that nobody raised',
      'unknown-interrupt',
      () => ({ interruptId: 'nobody', status: 'resolved', payload: true }),
    ],
    ['no payload', 'unclear-answer', interruptId => ({ interruptId, status: 'resolved' })],
    ['words', 'unclear-answer', interruptId => ({ interruptId, status: 'resolved', payload: 'yes' })],
    [
      'something like it',
      'unclear-answer',
      interruptId => ({ interruptId, status: 'resolved', payload: { approved: 1 } }),
    ],
    [
      'arguments that are none',
      'edited-arguments',
      interruptId => ({ interruptId, status: 'resolved', payload: { approved: true, editedArgs: 'Faro' } }),
    ],
  ]
  test.each(cases)('[AG5] %s', async (_, code, answer) => {
    const calls = [
      { name: 'book', input: { city: 'Lisbon' } },
      { name: 'book', input: { city: 'Porto' } },
    ]
    await using scene = await openScene([{ calls }, 'Done.'], { tools })
    const { agent, events, say, go } = scene.agent()
    await say('Book it')
    const [first, second] = agent.pendingInterrupts
    await go({ resume: [approve(first.id), answer(second.id), approve(second.id)] as never })
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code })
    expect(await scene.thread.status()).toMatchObject({ state: 'parked', openCalls: 2 })
    // The thread is as it was: both can still be answered.
    await go({ resume: [approve(first.id), approve(second.id)] })
    expect(shapes(agent.messages).slice(-3)).toEqual(['tool: booked Lisbon', 'tool: booked Porto', 'assistant: Done.'])
  })
})

test('[AG33] a call runs with the arguments that the client changed, and the model is told', async () => {
  await using scene = await openScene([{ calls: [{ name: 'book', input: { city: 'Lisbon' } }] }, 'Done.'], { tools })
  const { agent, say, go } = scene.agent()
  await say('Book it')
  const [{ id, responseSchema }] = agent.pendingInterrupts
  expect(responseSchema).toMatchObject({ properties: { editedArgs: { type: 'object' } } })
  const payload = { approved: true, editedArgs: { city: 'Faro' } }
  await go({ resume: [{ interruptId: id, status: 'resolved', payload }] })
  expect(shapes(agent.messages).slice(-2)).toEqual(['tool: booked Faro', 'assistant: Done.'])
  const asked = JSON.stringify(scene.strict.requests.at(-1))
  expect(asked).toContain('changed its input to')
  expect(asked).toContain('Lisbon')
})

test('[AG6] to cancel is to deny; what is still open at the end is asked for again', async () => {
  const calls = [
    { name: 'book', input: { city: 'Lisbon' } },
    { name: 'book', input: { city: 'Porto' } },
  ]
  await using scene = await openScene([{ calls }, 'Done.'], { tools })
  const one = scene.agent()
  await one.say('Book it')
  const [first, second] = one.agent.pendingInterrupts
  // Another client, which does not know that both have to be answered.
  const other = scene.agent('other')
  const end = await other.go({ resume: [{ interruptId: first.id, status: 'cancelled' }] })
  expect(end).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: second.id }] } })
  expect(scene.strict.requests.length).toBe(1)
  await other.go({ resume: [approve(second.id)] })
  expect(shapes(other.agent.messages).slice(-3)).toEqual([
    expect.stringContaining('denied'),
    'tool: booked Porto',
    'assistant: Done.',
  ])
})

test('[AG6] an interrupt says until when it can be answered; afterwards the model is told that nobody did', async () => {
  const expiring = { book: { approval: true, expiresMs: 1, execute: () => 'booked' } }
  await using scene = await openScene([{ calls: [{ name: 'book', input: {} }] }, 'Too late.'], { tools: expiring })
  const one = scene.agent()
  await one.say('Book it')
  const [{ id, expiresAt }] = one.agent.pendingInterrupts
  const lateMs = Date.parse(expiresAt ?? '') + 2 - Date.now()
  await new Promise(resolve => setTimeout(resolve, Math.max(0, lateMs)))
  const other = scene.agent('other')
  await other.go({ resume: [approve(id)] })
  expect(shapes(other.agent.messages).at(-1)).toBe('assistant: Too late.')
  expect(scene.reports).toMatchObject([{ repairs: [{ rule: 'late-answer', message: 'the call is already expired' }] }])
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
})

describe('[AG7] a message instead of an answer', () => {
  const script = [{ calls: [{ name: 'book', input: {} }] }, 'First.', 'Second.']

  test('[AG7] waits for the answer by default, and the interrupt stays open', async () => {
    await using scene = await openScene(script, { tools })
    const one = scene.agent()
    await one.say('Book it')
    const [{ id }] = one.agent.pendingInterrupts
    const other = scene.agent('other')
    expect(await other.say('Hello?')).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id }] } })
    expect(scene.strict.requests.length).toBe(1)
    expect(shapes(other.agent.messages)).toEqual(['user', 'book', 'user'])
    await other.go({ resume: [approve(id)] })
    expect(shapes(other.agent.messages)).toEqual([
      ...['user', 'book', 'tool: booked undefined', 'assistant: First.', 'user', 'assistant: Second.'],
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
  })

  test('[AG7] denies the call and follows its result, with whenApproving: deny', async () => {
    await using scene = await openScene(script, { tools, whenApproving: 'deny' })
    await scene.agent('one').say('Book it')
    const other = scene.agent('other')
    expect(await other.say('Never mind')).toMatchObject({ outcome: { type: 'success' } })
    expect(shapes(other.agent.messages)).toEqual([
      ...['user', 'book', expect.stringContaining('the user spoke instead'), 'user', 'assistant: First.'],
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG8] a message that comes with the answers follows the results, in the same turn', async () => {
    await using scene = await openScene(script, { tools })
    const { agent, say } = scene.agent()
    await say('Book it')
    const [{ id }] = agent.pendingInterrupts
    await say('And be quick', { resume: [deny(id)] })
    expect(scene.strict.requests.length).toBe(2)
    expect(shapes(agent.messages)).toEqual([
      ...['user', 'book', expect.stringContaining('denied'), 'user', 'assistant: First.'],
    ])
    expect(await scene.thread.status()).toMatchObject({ state: 'idle', last: { turn: 1, status: 'done' } })
  })
})
