import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ChatHandlerOptions } from '../../../src/integrations/ai-sdk/index.ts'
import type { AgentOptions, Tool } from '../../../src/journal/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { agentWith } from './agent-with.ts'
import { clients, plain, startWorld, told } from './chat-world.ts'
import type { ChatClient, Talk, TalkPart } from './client.ts'
import { gate } from './gate.ts'

const research = { name: 'research', input: { about: 'the sky' } }
const pay = { name: 'pay', input: { eur: 5 } }

describe.each(clients)('$name', client => {
  test('[AI70] an agent runs in a thread of its own, and its last words are the result of the call', async () => {
    const execute = vi.fn(() => 'paid')
    await using world = await start(
      client,
      [{ text: 'I ask.', calls: [research] }, { calls: [pay] }, 'The sky is blue.', 'Blue.', 'Yes.'],
      { pay: { execute } },
    )
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    expect(told(talk)).toEqual(['step-start', 'I ask.', 'call', 'step-start', 'Blue.'])
    expect(parts(talk)).toMatchObject([
      { type: 'tool-research', state: 'output-available', output: 'The sky is blue.' },
    ])
    expect(execute).toHaveBeenCalledTimes(1)
    expect(plain(talk.messages)).toEqual(await world.load('c1'))
    await talk.send('Really?')
    expect(told(talk)).toEqual(['step-start', 'Yes.'])
    expect(talk.failures).toEqual([])
    world.expectAccepted(5)
  })

  test.each([
    { approved: true, state: 'output-available', asked: 'paid 5 EUR' },
    { approved: false, state: 'output-denied', asked: 'too much' },
  ])(
    '[AI71] the question of an agent is shown in the chat with its path, and approved: $approved goes on',
    async ({ approved, state, asked }) => {
      const execute = vi.fn(({ eur }: { eur: number }) => `paid ${eur} EUR`)
      await using world = await start(
        client,
        [{ text: 'I ask.', calls: [research] }, { calls: [pay] }, 'It is done.', 'Good.'],
        { pay: { approval: true, execute } },
      )
      const talk = world.open('c1')
      await talk.send('Pay for it')
      const [called, question] = parts(talk)
      expect(parts(talk)).toHaveLength(2)
      expect(called).toMatchObject({ type: 'tool-research', state: 'input-available' })
      expect(question).toMatchObject({
        ...{ type: 'dynamic-tool', toolName: 'pay', input: { eur: 5 }, state: 'approval-requested' },
        callProviderMetadata: { antiphon: { agents: ['research'], path: [expect.any(String)] } },
      })
      expect(await world.load('c1')).toEqual(plain(talk.messages))
      expect(await world.journal.thread('c1').status()).toMatchObject({ state: 'parked' })
      expect(await world.status('GET', 'c1/stream')).toBe(204)
      const reloaded = world.open('c1', await world.load('c1'))
      await reloaded.approve(question.approval?.id ?? '', approved, 'too much')
      await eventually(() => expect(told(reloaded).at(-1)).toBe('Good.'))
      expect(parts(reloaded)).toMatchObject([
        { type: 'tool-research', state: 'output-available', output: 'It is done.' },
        { type: 'dynamic-tool', state, approval: { approved } },
      ])
      expect(execute).toHaveBeenCalledTimes(approved ? 1 : 0)
      expect(JSON.stringify(world.strict.requests[2].body)).toContain(asked)
      expect(parts({ messages: await world.load('c1') })).toMatchObject([{ output: 'It is done.' }])
      await eventually(() => expect(reloaded.status).toBe('ready'))
      expect(world.posts).toHaveLength(2)
      expect(reloaded.failures).toEqual([])
      world.expectAccepted(4)
    },
  )

  test('[AI71] an agent that asks twice, next to a question of the chat itself, is answered by clients that send decisions by themselves', async () => {
    const tools = { pay: { approval: true, execute: () => 'paid' } }
    const own = { look: client.tool(() => 'blue', { needsApproval: true }) }
    await using world = await start(
      client,
      [{ calls: [{ name: 'look', input: {} }, research] }, { calls: [pay] }, { calls: [pay] }, 'Done.', 'Good.'],
      tools,
      own,
    )
    const talk = world.open('c1')
    await talk.send('Pay for it')
    const asking = () => [...new Set(waiting(talk).map(({ approval }) => approval?.id ?? ''))]
    expect(asking()).toHaveLength(2)
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    const [look, first] = asking()
    await talk.approve(first, true)
    // The other question is in the same step: nothing is sent before both are decided.
    expect(world.posts).toHaveLength(1)
    await talk.approve(look, true)
    await eventually(() => expect(asking()).toHaveLength(1))
    await eventually(() => expect(talk.status).toBe('ready'))
    expect(asking()).not.toContain(first)
    await talk.approve(asking()[0], true)
    await eventually(() => expect(told(talk).at(-1)).toBe('Good.'))
    await eventually(() => expect(talk.status).toBe('ready'))
    expect(world.posts).toHaveLength(3)
    expect(talk.failures).toEqual([])
    world.expectAccepted(5)
  })

  test('[AI71] the call of an agent can be approved with changed input, which must fit the schema of its tool', async () => {
    const execute = vi.fn(() => 'paid')
    const inputSchema = z.object({ eur: z.number().max(9) })
    await using world = await start(client, [{ calls: [research] }, { calls: [pay] }, 'Done.', 'Good.'], {
      pay: { execute, inputSchema, needsApproval: true } as Tool,
    })
    const talk = world.open('c1')
    await talk.send('Pay for it')
    const id = waiting(talk)[0].approval?.id ?? ''
    await talk.approve(id, true, undefined, { [id]: { eur: 10 } })
    await eventually(() => expect(talk.failures).toHaveLength(1))
    expect(execute).not.toHaveBeenCalled()
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.approve(id, true, undefined, { [id]: { eur: 7 } })
    await eventually(() => expect(told(reloaded).at(-1)).toBe('Good.'))
    expect(execute).toHaveBeenCalledExactlyOnceWith({ eur: 7 }, expect.anything())
    world.expectAccepted(4)
  })

  test('[AI72] stop ends the agent too', async () => {
    const begun = gate()
    const stopped = gate()
    const execute = (_: object, { signal }: { signal: AbortSignal }) => {
      begun.open()
      signal.addEventListener('abort', () => stopped.open())
      return stopped.passed
    }
    await using world = await start(client, [{ calls: [research] }, { calls: [pay] }], { pay: { execute } })
    const talk = world.open('c1')
    const sending = talk.send('What colour is the sky?')
    await begun.passed
    expect(await world.status('DELETE', 'c1/stream')).toBe(200)
    await Promise.all([sending, stopped.passed])
    expect(parts(talk)).toMatchObject([{ type: 'tool-research', state: 'output-error' }])
    await eventually(async () => {
      const states: string[] = []
      for await (const { state } of world.journal.threads({ children: true })) states.push(state)
      expect(states).toEqual(['idle', 'idle'])
    })
    expect(await world.journal.thread('c1').openCalls({ deep: true })).toEqual([])
  })

  test('[AI72] an agent that waits for an approval is stopped, and a message instead of the decision is answered', async () => {
    const execute = vi.fn(() => 'paid')
    await using world = await start(
      client,
      [{ calls: [research] }, { calls: [pay] }, 'Then not.', { calls: [research] }, { calls: [pay] }],
      { pay: { approval: true, execute } },
    )
    const talk = world.open('c1')
    await talk.send('Pay for it')
    expect(waiting(talk)).toHaveLength(1)
    await talk.send('Rather not')
    expect(told(talk)).toEqual(['step-start', 'Then not.'])
    await talk.send('Or do')
    const [question] = waiting(talk)
    expect(await world.status('DELETE', 'c1/stream')).toBe(200)
    await eventually(async () => expect(await world.journal.thread('c1').openCalls({ deep: true })).toEqual([]))
    expect(waiting({ messages: await world.load('c1') })).toEqual([])
    await talk.approve(question.approval?.id ?? '', true)
    await eventually(() => expect(talk.status).toBe('ready'))
    expect(execute).not.toHaveBeenCalled()
    world.expectAccepted(5)
  })
})

type Shown = Pick<Talk, 'messages'>

const parts = ({ messages }: Shown): (TalkPart & { toolName?: string })[] =>
  messages.at(-1)?.parts.filter(({ type }) => type.includes('tool')) ?? []

const waiting = (talk: Shown): TalkPart[] => parts(talk).filter(({ state }) => state === 'approval-requested')

/** A chat with an agent that has these tools, on SQLite. */
async function start(
  client: ChatClient,
  script: ReplyScript,
  tools: NonNullable<AgentOptions['tools']>,
  own: ChatHandlerOptions['tools'] = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-agents-'))
  const strict = await startStrict({ script })
  const model = client.models.openai(strict.url)
  const options: ChatHandlerOptions = { model, tools: { ...own, research: agentWith(client, strict.url, tools) } }
  const world = await startWorld(strict, client, options, `sqlite:${join(folder, 'chat.db')}`)
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}
