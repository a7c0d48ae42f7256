import { describe, expect, test, vi } from 'vitest'
import type { ChatHandlerOptions, ChatTools } from '../../../src/integrations/ai-sdk/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { called, calls, clients, plain, startWorld, told } from './chat-world.ts'
import { gate } from './gate.ts'

const providers = ['openai', 'openai-responses', 'anthropic'] as const
const cases = clients.flatMap(client => providers.map(provider => ({ client, name: client.name, provider })))
const look = { name: 'look', input: { at: 'sky' } }
const slowly = { text: `It is a very long story${' that goes on'.repeat(20)}.`, fail: 'slow:25' } as const

describe.each(cases)('$name with $provider', ({ client, provider }) => {
  test('[AI13] a message is answered with its calls, and the loaded messages equal the shown ones', async () => {
    const execute = vi.fn(() => ({ colour: 'blue' }))
    await using world = await start({ look: client.tool(execute) }, [
      { text: 'I look.', calls: [look, look] },
      'Blue.',
      'Yes.',
    ])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    expect(told(talk)).toEqual(['step-start', 'I look.', called, called, 'step-start', 'Blue.'])
    expect(calls(talk)).toMatchObject([{ output: { colour: 'blue' } }, { output: { colour: 'blue' } }])
    expect(execute).toHaveBeenCalledTimes(2)
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    await talk.send('Really?')
    expect(told(talk)).toEqual(['step-start', 'Yes.'])
    world.expectAccepted(3)
  })

  test('[AI16] a call runs after its approval, and its result is in its place', async () => {
    const execute = vi.fn(() => 'blue')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ text: 'May I?', calls: [look] }, 'Blue.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    expect(calls(talk)).toMatchObject([{ state: 'approval-requested' }])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.approve(calls(reloaded)[0].approval?.id ?? '', true)
    await eventually(() => expect(told(reloaded)).toEqual(['step-start', 'May I?', called, 'step-start', 'Blue.']))
    expect(calls(reloaded)).toMatchObject([{ state: 'output-available', output: 'blue', approval: { approved: true } }])
    expect(execute).toHaveBeenCalledTimes(1)
    expect(await world.load('c1')).toMatchObject(plain(reloaded.messages))
    world.expectAccepted(2)
  })

  test('[AI16] a denied call does not run, and the model gets the reason', async () => {
    const execute = vi.fn(() => 'blue')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ calls: [look, look] }, 'Then not.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    const [one, other] = calls(talk)
    await talk.approve(one.approval?.id ?? '', false, 'too bright')
    await talk.approve(other.approval?.id ?? '', true)
    await eventually(() => expect(told(talk).at(-1)).toBe('Then not.'))
    expect(calls(talk).map(({ state }) => state)).toEqual(['output-denied', 'output-available'])
    expect(calls({ messages: await world.load('c1') })).toMatchObject([
      { state: 'output-denied', approval: { approved: false, reason: 'too bright' } },
      { state: 'output-available', approval: { approved: true } },
    ])
    expect(execute).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(world.strict.requests[1].body)).toContain('too bright')
    world.expectAccepted(2)
  })

  test('[AI60] a call runs with the input that a person has changed, and the model is told', async () => {
    const execute = vi.fn(() => 'grey')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ calls: [look, look] }, 'Grey.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    const [one, other] = calls(talk).map(({ approval }) => approval?.id ?? '')
    await talk.approve(one, true)
    await talk.approve(other, true, 'closer', { [one]: { at: 'sea' } })
    await eventually(() => expect(told(talk).at(-1)).toBe('Grey.'))
    expect(execute.mock.calls.map(([input]: unknown[]) => input)).toEqual([{ at: 'sea' }, { at: 'sky' }])
    expect(JSON.stringify(world.strict.requests[1].body)).toContain('sea')
    expect(await world.load('c1')).toMatchObject(plain(talk.messages))
    world.expectAccepted(2)
  })

  test('[AI60] a changed input that no call can run with is rejected, and the call still waits', async () => {
    const execute = vi.fn(() => 'grey')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ calls: [look] }, 'Grey.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    const id = calls(talk)[0].approval?.id ?? ''
    await talk.approve(id, true, undefined, { [id]: 'the sea' })
    await eventually(() => expect(talk.failures).toHaveLength(1))
    const reloaded = world.open('c1', await world.load('c1'))
    expect(calls(reloaded)).toMatchObject([{ state: 'approval-requested' }])
    await reloaded.approve(id, true)
    await eventually(() => expect(told(reloaded).at(-1)).toBe('Grey.'))
    expect(execute).toHaveBeenCalledTimes(1)
  })

  test('[AI16] a message instead of a decision denies the call and is answered', async () => {
    const execute = vi.fn(() => 'blue')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ text: 'May I?', calls: [look] }, 'As you like.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    await talk.send('Never mind.')
    expect(told(talk)).toEqual(['step-start', 'As you like.'])
    expect(execute).not.toHaveBeenCalled()
    const [, asking, , answer] = await world.load('c1')
    expect(calls({ messages: [asking] })).toMatchObject([{ state: 'output-denied', approval: { approved: false } }])
    expect(answer).toEqual(plain(talk.messages).at(-1))
    world.expectAccepted(2)
  })

  test('[AI15] a stopped answer keeps its content, and the next message is answered', async () => {
    await using world = await start({}, [slowly, 'Good.'])
    const talk = world.open('c1')
    const sending = talk.send('Tell me a story.')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    const response = await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })
    expect(await response.json()).toEqual({ isInterrupted: true })
    await sending
    const [, kept] = await world.load('c1')
    expect(told({ messages: [kept] }).join()).toMatch(/^step-start,It is a very/)
    expect(told(talk)).toEqual(told({ messages: [kept] }))
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  async function start(tools: ChatTools, script: ReplyScript, options: Partial<ChatHandlerOptions> = {}) {
    const strict = await startStrict({ script })
    return startWorld(strict, client, { model: client.models[provider](strict.url), tools, ...options })
  }
})

describe.each(clients)('$name', client => {
  test('[AI14] the same message is one turn, however often it is sent', async () => {
    await using world = await start({}, ['One.', 'Two.'])
    const talks = ['a', 'b', 'c'].map(() => world.open('c1'))
    await Promise.all(talks.map(talk => talk.send('Hello', 'm1')))
    for (const talk of talks) expect(told(talk)).toEqual(['step-start', 'One.'])
    const late = world.open('c1')
    await late.send('Hello', 'm1')
    expect(late.messages).toEqual(talks[0].messages)
    world.expectAccepted(1)
    const other = world.open('c1')
    await other.send('Something else', 'm1')
    expect(other.failures[0].message).toContain('key-taken')
  })

  test('[AI14] messages sent during an answer are answered in order', async () => {
    await using world = await start({}, [slowly, 'Two.', 'Three.'])
    const [first, second, third] = [world.open('c1'), world.open('c1'), world.open('c1')]
    const sending = [first.send('One?')]
    await eventually(() => expect(told(first).join()).toContain('very'))
    sending.push(second.send('Two?'))
    await eventually(async () => expect(await world.load('c1')).toHaveLength(2))
    sending.push(third.send('Three?'))
    await Promise.all(sending)
    expect([told(first), told(second), told(third)].map(parts => parts.at(-1))).toEqual([slowly.text, 'Two.', 'Three.'])
    expect((await world.load('c1')).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    world.expectAccepted(3)
  })

  test('[AI15] with onDisconnect, a client that disconnects stops the answer', async () => {
    await using world = await start({}, [slowly, 'Good.'], { onDisconnect: 'stop' })
    const talk = world.open('c1')
    const sending = talk.send('Tell me a story.')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    await talk.stop()
    await sending
    await eventually(async () => expect((await world.journal.thread('c1').status()).state).toBe('idle'))
    expect((await world.journal.thread('c1').status()).last?.status).toBe('interrupted')
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  test('[AI15] a client that waits for an answer and disconnects stops no other answer', async () => {
    await using world = await start({}, [slowly, 'Two.'], { onDisconnect: 'stop' })
    const [first, second] = [world.open('c1'), world.open('c1')]
    const sending = [first.send('One?')]
    await eventually(() => expect(told(first).join()).toContain('very'))
    sending.push(second.send('Two?'))
    await eventually(async () => expect(await world.load('c1')).toHaveLength(2))
    await second.stop()
    await Promise.all(sending)
    expect(told(first)).toEqual(['step-start', slowly.text])
  })

  test('[AI40] a client that says stop stops the answer, and one that only disconnects does not', async () => {
    await using world = await start({}, [slowly, slowly, 'Good.'])
    const talk = world.open('c1')
    const thread = world.journal.thread('c1')
    const first = talk.send('Tell me a story.')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    await talk.stop()
    await first
    await eventually(async () =>
      expect(await thread.status()).toMatchObject({ state: 'idle', last: { status: 'done' } }),
    )
    const second = talk.send('Another one.')
    await eventually(async () => expect(await thread.status()).toMatchObject({ state: 'running', turn: 2 }))
    await stopAnswer(world.site.url, 'c1', () => talk.stop())
    await second
    await eventually(async () => expect((await thread.status()).last).toMatchObject({ turn: 2, status: 'interrupted' }))
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
  })

  test('[AI40] a client that says stop shows how a call ended that needs time to end', async () => {
    const [begun, ended] = [gate(), gate()]
    const execute = async () => {
      begun.open()
      await ended.passed
      return 'blue'
    }
    await using world = await start({ look: client.tool(execute) }, [{ text: 'I look.', calls: [look] }, 'Good.'], {
      thread: { graceMs: 300_000 },
    })
    const talk = world.open('c1')
    const first = talk.send('What colour is the sky?')
    await begun.passed
    await stopAnswer(world.site.url, 'c1', () => talk.stop())
    ended.open()
    await first
    expect(calls(talk)).toMatchObject([{ state: 'output-available', output: 'blue' }])
    expect(plain(talk.messages)).toEqual(await world.load('c1'))
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  test('[AI40] an answer that has not begun is stopped as well', async () => {
    await using world = await start({}, [slowly])
    const thread = world.journal.thread('c1')
    await thread.submit('Tell me a story.')
    const response = await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })
    expect(await response.json()).toEqual({ isInterrupted: true })
    await eventually(async () =>
      expect(await thread.status()).toMatchObject({ state: 'idle', last: { turn: 1, status: 'interrupted' } }),
    )
    expect(await (await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })).json()).toEqual({
      isInterrupted: false,
    })
  })

  test('[AI15] a stop settles a tool call in progress', async () => {
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const execute = (_: never, { abortSignal }: { abortSignal: AbortSignal }) => {
      begin()
      return new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(new Error('stopped'))))
    }
    await using world = await start({ look: client.tool(execute as never) }, [{ calls: [look] }, 'Good.'])
    const talk = world.open('c1')
    const sending = talk.send('What colour is the sky?')
    await begun
    await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })
    await sending
    expect(calls(talk)).toMatchObject([{ state: 'output-error' }])
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  test('[AI17] a tool without execute runs in the client', async () => {
    await using world = await start({ locate: client.tool() }, [{ calls: [{ name: 'locate' }] }, 'In Lisbon.'])
    const talk = world.open('c1')
    await talk.send('Where am I?')
    expect(calls(talk)).toMatchObject([{ state: 'input-available' }])
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.output(calls(reloaded)[0].toolCallId ?? '', { city: 'Lisbon' })
    await eventually(() => expect(told(reloaded).at(-1)).toBe('In Lisbon.'))
    expect(await world.load('c1')).toMatchObject(plain(reloaded.messages))
    world.expectAccepted(2)
  })

  test('[AI18] a running stream is resumed from its beginning', async () => {
    await using world = await start({ look: client.tool(() => 'blue') }, [{ text: 'I look.', calls: [look] }, slowly])
    const talk = world.open('c1')
    const sending = talk.send('What colour is the sky?')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    const reloaded = world.open('c1', await world.load('c1'))
    const empty = world.open('c1', [])
    await Promise.all([sending, reloaded.resume(), empty.resume()])
    expect(told(talk)).toEqual(['step-start', 'I look.', called, 'step-start', slowly.text])
    expect(plain(reloaded.messages)).toEqual(plain(talk.messages))
    expect(plain(empty.messages)).toEqual(plain(talk.messages.slice(-1)))
    expect((await fetch(`${world.site.url}/api/chat/c1/stream`)).status).toBe(204)
    world.expectAccepted(2)
  })

  test('[AI18] an answer continues after its client has disconnected', async () => {
    await using world = await start({}, [slowly])
    const talk = world.open('c1')
    const sending = talk.send('Tell me a story.')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    await talk.stop()
    await sending
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.resume()
    expect(told(reloaded)).toEqual(['step-start', slowly.text])
  })

  test('[AI20] a failed turn is retried, and shown once', async () => {
    await using world = await start({}, [{ fail: 'overload' }, 'Here I am.', 'Again.'])
    const talk = world.open('c1')
    await talk.send('Hello')
    expect(talk.failures.map(({ message }) => message)).toEqual(['An error occurred.'])
    await talk.regenerate()
    expect(told(talk)).toEqual(['step-start', 'Here I am.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    await talk.regenerate()
    expect(told(talk)).toEqual(['step-start', 'Again.'])
    expect(world.strict.requests).toHaveLength(3)
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI20] a message followed by others is answered again on a branch, although those have failed', async () => {
    await using world = await start({}, ['One.', { fail: 'overload' }, 'Another.', 'Here I am.'])
    const talk = world.open('c1')
    await talk.send('First')
    const before = plain(talk.messages)
    await talk.send('Second')
    const stale = world.open('c1', before)
    await stale.regenerate()
    expect(told(stale)).toEqual(['step-start', 'Another.'])
    expect(await world.load('c1')).toEqual(plain(stale.messages))
    await talk.regenerate()
    expect(told(talk)).toEqual(['step-start', 'Here I am.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI27] a failed turn does not fail the messages that wait after it', async () => {
    const begun = gate()
    const ended = gate()
    const execute = async () => {
      begun.open()
      await ended.passed
      return 'blue'
    }
    const script: ReplyScript = [{ calls: [look] }, { fail: 'overload' }, { fail: 'overload' }, 'Three.']
    const onError = vi.fn()
    await using world = await start({ look: client.tool(execute) }, script, { onError })
    const talks = [world.open('c1'), world.open('c1'), world.open('c1')]
    const sending = [talks[0].send('One?')]
    await begun.passed
    for (const [index, talk] of talks.slice(1).entries()) {
      sending.push(talk.send(`${index + 2}?`))
      await eventually(async () => expect(await world.load('c1')).toHaveLength(index + 3))
    }
    ended.open()
    await Promise.all(sending)
    expect(talks.map(({ failures }) => failures.length)).toEqual([1, 1, 0])
    expect(told(talks[2])).toEqual(['step-start', 'Three.'])
    await eventually(() => expect(onError).toHaveBeenCalledTimes(2))
  })

  async function start(tools: ChatTools, script: ReplyScript, options: Partial<ChatHandlerOptions> = {}) {
    const strict = await startStrict({ script })
    return startWorld(strict, client, { model: client.models.openai(strict.url), tools, ...options })
  }
})

/** As the page shows it. */
async function stopAnswer(url: string, chat: string, stop: () => Promise<void>): Promise<void> {
  const response = await fetch(`${url}/api/chat/${chat}/stream`, { method: 'DELETE' })
  const { isInterrupted } = response.ok
    ? ((await response.json()) as { isInterrupted: boolean })
    : { isInterrupted: false }
  if (!isInterrupted) await stop()
}
