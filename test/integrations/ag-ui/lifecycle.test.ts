import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent, type TokenUsage } from '@ag-ui/client'
import { describe, expect, test, vi } from 'vitest'
import { agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { openJournal, type Thread } from '../../../src/journal/index.ts'
import { type ReplyContent, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { clientOf, models, openScene, providers, shapes, shortened, thinking, types, verdicts } from './scene.ts'

const tools = { weather: { execute: () => 'sunny' } }
const story = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
const slow: ReplyContent = { text: story, fail: 'slow:5' }

const atRest = (thread: Thread): Promise<void> =>
  eventually(async () => expect((await thread.status()).state).not.toBe('running'))

describe('[AG12] a client that goes away', () => {
  test.each(providers)('[AG12] stops its turn: %s is not asked on, and the next run goes on', async provider => {
    const first = { ...slow, ...thinking[provider] }
    await using scene = await openScene([first, { ...thinking[provider], text: 'Here.' }], { provider, tools })
    const { agent, say, seen } = scene.agent()
    const running = say('Tell me a story')
    await seen('TEXT_MESSAGE_CONTENT')
    agent.abortRun()
    await running
    await atRest(scene.thread)
    expect(await scene.thread.status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
    await say('Are you there?')
    expect(shapes(agent.messages)).toEqual(['user', expect.stringContaining('word0'), 'user', 'assistant: Here.'])
    expect(JSON.stringify(agent.messages)).not.toContain('word59')
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG12] or not, with whenGone: continue; a client that comes back gets the rest as it comes', async () => {
    await using scene = await openScene([slow, 'Yes.'], { tools, whenGone: 'continue' })
    const { agent, say, seen } = scene.agent()
    const running = say('Tell me a story')
    await seen('TEXT_MESSAGE_CONTENT')
    agent.abortRun()
    await running
    expect(await scene.thread.status()).toMatchObject({ state: 'running' })
    const back = clientOf(new HttpAgent({ url: scene.url, threadId: 't', initialMessages: agent.messages }))
    expect(await back.go()).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(types(back.events).filter(type => type === 'TEXT_MESSAGE_CONTENT').length).toBeGreaterThan(3)
    expect(shapes(back.agent.messages)).toEqual(['user', `assistant: ${story}`])
    expect(scene.strict.requests.length).toBe(1)
  })

  test('[AG12] before its turn has come leaves the turn that runs alone, and its words wait', async () => {
    await using scene = await openScene([slow, 'Second.', 'Third.'], { tools })
    const one = scene.agent('one')
    const running = one.say('Tell me a story')
    await one.seen('TEXT_MESSAGE_CONTENT')
    const other = scene.agent('other')
    const waiting = other.say('Hello')
    await eventually(async () => expect((await scene.thread.status()).waiting).toBe(1))
    other.agent.abortRun()
    await waiting
    expect(await running).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(shapes(one.agent.messages)).toEqual(['user', `assistant: ${story}`])
    await one.say('And now?')
    expect(shapes(one.agent.messages).slice(2)).toEqual(['user', 'assistant: Second.', 'user', 'assistant: Third.'])
  })
})

describe('[AG13] a second run on a thread that is busy', () => {
  async function two(whenBusy: 'queue' | 'steer' | 'interrupt' | 'reject') {
    const call: ReplyContent = { ...slow, calls: [{ name: 'weather', input: {} }] }
    const scene = await openScene([call, 'Sunny.', 'Later.'], { tools, whenBusy })
    const one = scene.agent('one')
    const first = one.say('How is it?')
    await one.seen('TEXT_MESSAGE_CONTENT')
    const other = scene.agent('other')
    const second = other.say('Hurry up')
    const ends = await Promise.all([first, second])
    return { scene, one, other, ends }
  }

  test('[AG13] waits for its turn, and is told what happens meanwhile while it happens', async () => {
    const { scene, one, other, ends } = await two('queue')
    await using _ = scene
    expect(ends).toMatchObject([{ outcome: { type: 'success' } }, { outcome: { type: 'success' } }])
    const first = ['user', `assistant: ${story}`, 'weather', 'tool: sunny', 'assistant: Sunny.']
    expect(shapes(one.agent.messages)).toEqual(first)
    expect(shapes(other.agent.messages)).toEqual([...first, 'user', 'assistant: Later.'])
    expect(types(other.events).filter(type => type === 'TEXT_MESSAGE_CONTENT').length).toBeGreaterThan(5)
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
    const [mine, others] = ends.map(({ usage }) => (usage as TokenUsage[])[0].outputTokens ?? 0)
    expect(others, 'what the first run has cost is not counted again').toBeLessThan(mine)
  })

  test('[AG13] is said at the next step, with steer: both runs end with the turn', async () => {
    const { scene, one, other, ends } = await two('steer')
    await using _ = scene
    expect(ends).toMatchObject([{ outcome: { type: 'success' } }, { outcome: { type: 'success' } }])
    const all = ['user', `assistant: ${story}`, 'weather', 'tool: sunny', 'user', 'assistant: Sunny.']
    expect(shapes(one.agent.messages)).toEqual(all)
    expect(shapes(other.agent.messages)).toEqual(all)
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG13] stops the turn, with interrupt: the first run is cancelled', async () => {
    const { scene, one, other, ends } = await two('interrupt')
    await using _ = scene
    expect(ends).toMatchObject([{ outcome: { type: 'cancelled' } }, { outcome: { type: 'success' } }])
    expect(one.agent.pendingInterrupts).toEqual([])
    expect(shapes(other.agent.messages)).toEqual([
      'user',
      expect.stringContaining('word0'),
      'user',
      'assistant: Sunny.',
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG13] is refused, with reject, and its words are not kept', async () => {
    const { scene, one, ends } = await two('reject')
    await using _ = scene
    expect(ends).toMatchObject([{ outcome: { type: 'success' } }, { type: 'RUN_ERROR', code: 'thread-busy' }])
    expect(shapes(one.agent.messages)).toHaveLength(5)
  })
})

describe('[AG14] a run that is stopped is cancelled, and the thread is whole', () => {
  test('[AG14] from anywhere, in the middle of a call whose arguments are still coming', async () => {
    const input = { city: story }
    await using scene = await openScene(
      [{ text: 'Let me see.', calls: [{ name: 'show', input }], fail: 'slow:5' }, 'Here.'],
      { tools },
    )
    const { agent, events, say, seen } = scene.agent()
    const made: string[] = []
    agent.subscribe({ onToolCallEndEvent: ({ toolCallName }) => void made.push(toolCallName) })
    const silenced = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const offered = { tools: [{ name: 'show', description: 'Shows it.', parameters: { type: 'object' } }] }
    const running = say('Show me', offered)
    await seen('TOOL_CALL_ARGS')
    await scene.thread.interrupt('the operator stopped it')
    expect(await running).toMatchObject({
      ...{ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
      metadata: { antiphon: { status: 'interrupted' } },
    })
    silenced.mockRestore()
    expect(made, 'nobody may run half a call').toEqual([])
    expect(types(events)).toContain('TOOL_CALL_END')
    expect(shapes(agent.messages)).toEqual(['user', 'assistant: Let me see.'])
    await say('Well?', offered)
    expect(shapes(agent.messages)).toEqual(['user', 'assistant: Let me see.', 'user', 'assistant: Here.'])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG14] while a tool runs', async () => {
    let begin = (): void => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const endless = {
      weather: {
        execute: (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((_, reject) => {
            begin()
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      },
    }
    await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Here.'], { tools: endless })
    const { agent, say } = scene.agent()
    const running = say('How is it?')
    await begun
    await scene.thread.interrupt('enough')
    expect(await running).toMatchObject({ outcome: { type: 'cancelled' } })
    expect(agent.messages.at(-1)).toMatchObject({ role: 'tool', error: expect.any(String) })
    await say('Well?')
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })

  test('[AG14] by a limit of steps', async () => {
    const again: ReplyContent = { calls: [{ name: 'weather', input: {} }] }
    await using scene = await openScene([again, again, again, 'Here.'], { tools, maxSteps: 2 })
    const { agent, say } = scene.agent()
    expect(await say('How is it?')).toMatchObject({
      ...{ outcome: { type: 'cancelled' }, metadata: { antiphon: { status: 'limit' } } },
    })
    expect(scene.strict.requests.length).toBe(2)
    scene.strict.script(['Here.'])
    await say('Well?')
    expect(shapes(agent.messages).at(-1)).toBe('assistant: Here.')
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
  })
})

describe('[AG15] a model that fails ends the run with an error, and the next run goes on', () => {
  const failing: ReplyContent = {
    text: 'Let me see what it is like there today.',
    calls: [{ name: 'weather', input: {} }],
  }

  test.each(['overload', 'cut', 'malformed', 'rate-limit:stream'] as const)('[AG15] %s', async fail => {
    await using scene = await openScene([{ ...failing, fail }, 'Here I am.'], { tools })
    const { agent, events, say } = scene.agent()
    const silenced = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await say('How is it?')
    silenced.mockRestore()
    expect(events.at(-1)).toEqual({ type: 'RUN_ERROR', message: 'The run failed.', code: 'failed' })
    expect(scene.errors).toHaveLength(1)
    expect(shapes(agent.messages)).not.toContain('weather')
    expect(await say('Well?')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(shapes(agent.messages).at(-1)).toBe('assistant: Here I am.')
    expect(scene.strict.requests.at(-1)?.verdict).toBe('accepted')
  })

  test('[AG15] the application says what a client is told of an error', async () => {
    const errorText = (error: unknown): string => `Sorry: ${(error as { status: number }).status}`
    await using scene = await openScene([{ ...failing, fail: 'overload' }], { tools, errorText })
    const { events, say } = scene.agent()
    await say('How is it?')
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.stringMatching(/^Sorry: 5\d\d$/) })
  })

  test('[AG15] requests that wait for a turn do not fail when it fails', async () => {
    const broken: ReplyContent = { text: story, fail: 'slow:5' }
    await using scene = await openScene([broken, { fail: 'overload' }, 'Third.'], { tools })
    const one = scene.agent('one')
    const first = one.say('Tell me a story')
    await one.seen('TEXT_MESSAGE_CONTENT')
    const gone = scene.agent('gone')
    const second = gone.say('Hello')
    await eventually(async () => expect((await scene.thread.status()).waiting).toBe(1))
    gone.agent.abortRun()
    await Promise.all([first, second])
    expect(await one.say('And now?')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(shapes(one.agent.messages).slice(2)).toEqual(['user', 'user', 'assistant: Third.'])
  })
})

test('[AG17] the same message twice, by two clicks at once or by a retry, is said once', async () => {
  await using scene = await openScene(['Hello.', 'Again.'], { tools })
  const [one, other] = [scene.agent('one'), scene.agent('other')]
  const message = { id: 'click', role: 'user' as const, content: 'Hello' }
  for (const { agent } of [one, other]) agent.addMessage(message)
  await Promise.all([one.go(), other.go()])
  await one.go()
  for (const { agent } of [one, other]) expect(shapes(agent.messages)).toEqual(['user', 'assistant: Hello.'])
  expect(scene.strict.requests.length).toBe(1)
})

test('[AG23] a turn that another process runs is sent to the client as it is recorded', async () => {
  await using scene = await openScene([{ text: 'Look.', calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], {
    model: () => {
      throw new Error('this process is not to ask')
    },
  })
  const worker = scene.journal.work({
    ...{ model: request => models.openai(scene.strict.url)({ ...request, input: { tools: [] } } as never), tools },
    ...{ thread: { for: 'openai' }, pollMs: 5 },
  })
  await scene.thread.submit('How is it?')
  await eventually(async () => expect((await scene.thread.status()).state).not.toBe('waiting'))
  const { agent, events, go } = scene.agent()
  expect(await go()).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  await worker.stop()
  expect(shapes(agent.messages)).toEqual(['user', 'assistant: Look.', 'weather', 'tool: sunny', 'assistant: Sunny.'])
  expect(shortened(types(events)).at(0)).toBe('RUN_STARTED')
})

test('[AG28] a thread is the same in every process: what one streams the other tells, and either goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-ag-ui-'))
  const gated = { weather: { approval: true, execute: () => 'sunny' } }
  await using strict = await startStrict({ script: [{ ...slow, calls: [{ name: 'weather', input: {} }] }, 'Sunny.'] })
  const journals = await Promise.all([0, 1].map(() => openJournal(`sqlite:${join(folder, 'chat.db')}`)))
  const options = { model: models.openai(strict.url), thread: { for: 'openai' as const }, tools: gated }
  const [one, other] = journals.map(journal => {
    const handler = agUiHandler(journal, options)
    const fetch = (url: string, init: RequestInit): Promise<Response> => handler(new Request(url, init))
    return clientOf(new HttpAgent({ url: 'http://localhost/', threadId: 't', fetch }))
  })
  const first = one.say('How is it?')
  await one.seen('TEXT_MESSAGE_CONTENT')
  const second = other.say('And there?')
  const ends = await Promise.all([first, second])
  const [{ id }] = one.agent.pendingInterrupts
  expect(ends).toMatchObject([
    { outcome: { type: 'interrupt', interrupts: [{ id }] } },
    { outcome: { type: 'interrupt', interrupts: [{ id }] } },
  ])
  strict.script(['Sunny.', 'There too.'])
  await other.go({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
  expect(shapes(other.agent.messages)).toEqual([
    ...['user', `assistant: ${story}`, 'weather', 'tool: sunny', 'assistant: Sunny.', 'user', 'assistant: There too.'],
  ])
  await one.go({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
  expect(one.agent.messages).toEqual(other.agent.messages)
  expect(verdicts(strict)).toEqual(['accepted', 'accepted', 'accepted'])
  await Promise.all(journals.map(journal => journal.close()))
  rmSync(folder, { recursive: true })
})
