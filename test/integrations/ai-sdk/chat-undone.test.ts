import { describe, expect, test, vi } from 'vitest'
import type { ChatHandlerOptions, ChatTools } from '../../../src/integrations/ai-sdk/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { called, calls, clients, plain, startWorld, told, type World } from './chat-world.ts'
import { gate } from './gate.ts'

// Clients send a message on their own as long as its calls look as if the model were still to hear of them.

const look = { name: 'look', input: { at: 'sky' } }
const locate = { name: 'locate' }

describe.each(clients)('$name', client => {
  test('[AI26] a client that decides after another one gets the rest of the answer, and sends once', async () => {
    const execute = vi.fn(() => 'blue')
    await using world = await start({ look: client.tool(execute, { needsApproval: true }) }, [
      { calls: [look] },
      'Blue.',
    ])
    const first = world.open('c1')
    await first.send('What colour is the sky?')
    const second = world.open('c1', await world.load('c1'))
    const approval = calls(first)[0].approval?.id ?? ''
    await first.approve(approval, true)
    await eventually(() => expect(told(first).at(-1)).toBe('Blue.'))
    await second.approve(approval, false, 'too bright')
    await eventually(() => expect(told(second)).toEqual(['step-start', called, 'step-start', 'Blue.']))
    await isQuiet(world, 3)
    expect(execute).toHaveBeenCalledTimes(1)
    world.expectAccepted(2)
  })

  test('[AI26] a client that answers a stopped call gets an error, and sends once', async () => {
    const tools = { look: client.tool(() => 'blue', { needsApproval: true }), locate: client.tool() }
    await using world = await start(tools, [{ calls: [look, locate] }, 'Good.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky here?')
    const [asked, waiting] = calls(talk)
    await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })
    await eventually(async () => expect((await world.journal.thread('c1').status()).state).toBe('idle'))
    await talk.approve(asked.approval?.id ?? '', true)
    await talk.output(waiting.toolCallId ?? '', 'Lisbon')
    await eventually(() => expect(talk.status).toBe('ready'))
    expect(calls(talk)).toMatchObject([{ state: 'output-error' }, { state: 'output-error' }])
    await isQuiet(world, 2)
    expect(told(talk)).toEqual(told({ messages: await world.load('c1') }))
    await talk.send('Enough.')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  test('[AI26] an answer to a call after newer messages is rejected, also while those are answered', async () => {
    const [begun, ended] = [gate(), gate()]
    const execute = async () => {
      begun.open()
      await ended.passed
      return 'blue'
    }
    const tools = { locate: client.tool(), look: client.tool(execute) }
    await using world = await start(tools, [{ calls: [locate] }, { calls: [look] }, 'Blue.'])
    const [one, other] = [world.open('c1'), world.open('c1')]
    await one.send('Where am I?')
    await world.journal.thread('c1').interrupt('enough')
    const sending = other.send('What colour is the sky?')
    await begun.passed
    await one.output(calls(one)[0].toolCallId ?? '', 'Lisbon')
    await eventually(() => expect(one.failures.map(({ message }) => message).join()).toContain('nothing-waiting'))
    ended.open()
    await sending
    expect(told(other)).toEqual(['step-start', called, 'step-start', 'Blue.'])
    await isQuiet(world, 3)
    world.expectAccepted(3)
  })

  test('[AI26] an answer that ends with calls because it was stopped is not sent again', async () => {
    const begun = gate()
    const execute = (_: never, { abortSignal }: { abortSignal: AbortSignal }) => {
      begun.open()
      return new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(new Error('stopped'))))
    }
    await using world = await start({ look: client.tool(execute as never) }, [{ calls: [look] }])
    const talk = world.open('c1')
    const sending = talk.send('What colour is the sky?')
    await begun.passed
    await fetch(`${world.site.url}/api/chat/c1/stream`, { method: 'DELETE' })
    await sending
    await isQuiet(world, 1)
    expect(talk.failures).toEqual([])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI26] an answer followed by a steering message is not sent again', async () => {
    const [begun, steered] = [gate(), gate()]
    const execute = async () => {
      begun.open()
      await steered.passed
      return 'blue'
    }
    const tools = { look: client.tool(execute) }
    await using world = await start(tools, [{ calls: [look] }, 'Both.'], { whenBusy: 'steer' })
    const [one, other] = [world.open('c1'), world.open('c1')]
    const sending = [one.send('What colour is the sky?')]
    await begun.passed
    sending.push(other.send('And the sea?'))
    await eventually(async () => expect(await world.load('c1')).toHaveLength(3))
    steered.open()
    await Promise.all(sending)
    expect([told(one), told(other)]).toEqual([
      ['step-start', called, 'step-start'],
      ['step-start', 'Both.'],
    ])
    await isQuiet(world, 2)
    expect(one.failures).toEqual([])
    expect((await world.load('c1')).slice(0, 2)).toEqual(plain(one.messages))
  })

  test('[AI26] an answer whose call broke off at the limit is not sent again', async () => {
    const broken = { calls: [{ name: 'look', input: '{"at": "sk' }], stop: 'length' as const }
    await using world = await start({ look: client.tool(() => 'blue') }, [broken, 'Good.'])
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    expect(calls(talk)).toMatchObject([{ state: 'output-error', errorText: 'The call broke off.' }])
    await isQuiet(world, 1)
    expect([talk.status, talk.failures]).toEqual(['ready', []])
    await talk.send('Again?')
    expect(told(talk)).toEqual(['step-start', 'Good.'])
    world.expectAccepted(2)
  })

  async function start(tools: ChatTools, script: ReplyScript, options: Partial<ChatHandlerOptions> = {}) {
    const strict = await startStrict({ script })
    return startWorld(strict, client, { model: client.models.openai(strict.url), tools, ...options })
  }
})

/** Nobody sends more than that: a client that does, does so as soon as it has been answered. */
async function isQuiet({ posts, site }: World, count: number): Promise<void> {
  for (let round = 0; round < 5; round++) await fetch(`${site.url}/api/chat/c1`)
  expect(posts).toHaveLength(count)
}
