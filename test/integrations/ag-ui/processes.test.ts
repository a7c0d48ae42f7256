import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HttpAgent } from '@ag-ui/client'
import { expect, test, vi } from 'vitest'
import { agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { redisUrl, startRedis } from '../../journal/live/redis-server.ts'
import { type Client, clientOf, lastSnapshot, models, openScene, shapes, types, verdicts } from './scene.ts'
import { serve } from './serve.ts'

const slowly = { text: `It is a very long story${' that goes on'.repeat(20)}.`, fail: 'slow:40' } as const

test('[AG51] clients that come at any moment are shown what another process streams, each word once', async () => {
  await using world = await start([slowly])
  const first = world.elsewhere()
  let isSent = false
  const sending = first.say('Tell me a story.').finally(() => {
    isSent = true
  })
  await eventually(() => expect(shown(first)).toContain('very'))
  const tabs: Client[] = []
  const running: Promise<unknown>[] = []
  while (!isSent && tabs.length < 20) {
    const tab = world.here()
    tabs.push(tab)
    running.push(tab.go())
    await new Promise(resolve => setTimeout(resolve, 40))
  }
  await Promise.all([sending, ...running])
  expect(tabs.length).toBeGreaterThan(3)
  for (const tab of tabs) {
    // The last ones may have come when everything was recorded.
    expect(['', slowly.text]).toContain(shown(tab))
    expect(shapes(tab.agent.messages)).toEqual(['user', `assistant: ${slowly.text}`])
  }
  const [early] = tabs as [Client]
  expect(types(early.events).filter(type => type === 'TEXT_MESSAGE_CONTENT').length).toBeGreaterThan(5)
  expect(verdicts(world.strict)).toEqual(['accepted'])
})

test('[AG52] words of a killed process are taken back, and the answer of the next owner is whole', async () => {
  const verySlowly = { ...slowly, fail: 'slow:250' } as const
  await using world = await start([verySlowly, 'Good.'], { leaseMs: 1_500 })
  const sending = world.ask('Tell me a story.')
  const tab = world.here()
  await eventually(async () => expect(await world.state()).toBe('running'))
  const running = tab.go()
  await eventually(() => expect(shown(tab)).toContain('very'))
  await world.kill()
  await Promise.all([sending, running])
  expect(verySlowly.text.startsWith(shown(tab).replace('Good.', ''))).toBe(true)
  const goodAt = tab.events.findIndex(event => 'delta' in event && event.delta === 'Good.')
  // Before the words of the next owner, the messages are those without the words of the last one.
  expect(shapes(lastSnapshot(tab.events.slice(0, goodAt)))).toEqual(['user'])
  expect(shapes(tab.agent.messages)).toEqual(['user', 'assistant: Good.'])
})

test('[AG51] over Redis', async () => {
  const redis = await startRedis()
  try {
    await using world = await start([slowly], { live: redisUrl(redis.port) })
    const first = world.elsewhere()
    const sending = first.say('Tell me a story.')
    await eventually(() => expect(shown(first)).toContain('very'))
    const tab = world.here()
    await Promise.all([sending, tab.go()])
    expect(shown(tab)).toBe(slowly.text)
    expect(types(tab.events).filter(type => type === 'TEXT_MESSAGE_CONTENT').length).toBeGreaterThan(5)
    expect(tab.agent.messages).toEqual(first.agent.messages)
  } finally {
    await redis.stop()
  }
})

test('[AG51] words that streamed before their response was recorded are not sent again', async () => {
  const tools = { book: { approval: true, execute: () => 'booked' } }
  await using scene = await openScene([{ text: 'Recorded.', calls: [{ name: 'book', input: {} }] }], { tools })
  await scene.agent().say('Book it.')
  const thread = scene.journal.thread('t', { for: 'openai' })
  const { head } = await thread.read()
  // This process has them only now, from another one.
  const said = { kind: 'delta', delta: { kind: 'text', text: 'Recorded.' }, offset: '', since: 0 } as const
  const followed = vi.spyOn(thread, 'follow').mockImplementation(listener => {
    listener(said)
    listener({ kind: 'response-retract', offset: '', since: 0 })
    listener({ ...said, delta: { kind: 'text', text: 'Next.' }, since: head })
    return () => {}
  })
  vi.spyOn(scene.journal, 'thread').mockReturnValue(thread)
  const tab = scene.agent()
  await tab.go()
  expect(followed).toHaveBeenCalledOnce()
  expect(shown(tab)).toBe('Next.')
})

interface Setup {
  live?: true | string
  /** How long a killed server keeps its threads. A slow machine must not take them from one that lives. */
  leaseMs?: number
}

/** A server in a process of its own, and one here, with one journal and one provider. */
async function start(script: ReplyScript, { live = true, leaseMs = 60_000 }: Setup = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-ag-ui-'))
  const file = join(folder, 'chat.db')
  const strict = await startStrict({ script })
  const program = fileURLToPath(import.meta.resolve('./ag-ui-server.ts'))
  const child = fork(program, [file, strict.url, String(live), String(leaseMs)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url }] = await once(child, 'message')
  const journal = await openJournal(`sqlite:${file}`, { live })
  const thread = { for: 'openai', leaseMs } as const
  const site = await serve(agUiHandler(journal, { model: models.openai(strict.url), thread, whenGone: 'continue' }))
  const clientAt = (address: string): Client => clientOf(new HttpAgent({ url: address, threadId: 't' }))
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    ...{ strict, kill, elsewhere: () => clientAt(url), here: () => clientAt(site.url) },
    /** Without a client, which would report that its server is gone. */
    async ask(content: string) {
      const input = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content }] }
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(input) })
      await response.text().catch(() => {})
    },
    state: async () => (await journal.thread('t').status()).state,
    async [Symbol.asyncDispose]() {
      await kill()
      await site[Symbol.asyncDispose]()
      await journal.close()
      await strict.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** All words that a client was told piece by piece. */
const shown = ({ events }: Client): string =>
  events.map(event => (event.type === 'TEXT_MESSAGE_CONTENT' && 'delta' in event ? event.delta : '')).join('')
