import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatHandler, loadUIMessages } from '../../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { redisUrl, startRedis } from '../../journal/live/redis-server.ts'
import { programFile } from '../../programs.ts'
import { agentWith } from './agent-with.ts'
import type { ChatClient, Talk } from './client.ts'
import { client6 } from './client-6.ts'
import { client7 } from './client-7.ts'
import { startSite } from './site.ts'

const slowly = { text: `It is a very long story${' that goes on'.repeat(20)}.`, fail: 'slow:40' } as const

describe.each([client6, client7])('$name', client => {
  test('[AI19] the work of a killed server is continued by the next one', async () => {
    await using world = await start(client, [{ text: 'I look.', calls: [{ name: 'look' }] }, 'Nobody knows.', 'Good.'])
    const talk = client.open({ url: world.elsewhere, id: 'c1' })
    const sending = talk.send('What colour is the sky?')
    await world.heard('begun')
    await world.kill()
    await sending
    expect(talk.failures).toHaveLength(1)
    const reloaded = client.open({ url: world.here, id: 'c1', messages: await world.load() })
    expect(reloaded.messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'tool-look', state: 'input-available' })
    await reloaded.resume()
    expect(words(reloaded)).toEqual(['I look.', 'Nobody knows.'])
    expect(reloaded.messages.at(-1)?.parts[2]).toMatchObject({ type: 'tool-look', state: 'output-error' })
    expect(await world.load()).toEqual(JSON.parse(JSON.stringify(reloaded.messages)))
    await reloaded.send('Thanks.')
    expect(words(reloaded)).toEqual(['Good.'])
    expect(world.verdicts()).toEqual(['accepted', 'accepted', 'accepted'])
  })

  test('[AI73] an agent of a killed server is continued by the next one, and by a client that waits', async () => {
    const script = [{ calls: [{ name: 'research' }] }, { calls: [{ name: 'look' }] }, 'Nobody knows.', 'I see.']
    await using world = await start(client, script, { hasAgent: true })
    const talk = client.open({ url: world.elsewhere, id: 'c1' })
    const sending = talk.send('What colour is the sky?')
    await world.heard('begun')
    const other = client.open({ url: world.here, id: 'c1', messages: await world.load() })
    const resuming = other.resume()
    await eventually(() => expect(other.status).toBe('streaming'))
    await world.kill()
    await Promise.all([sending, resuming])
    expect(words(other)).toEqual(['I see.'])
    expect(other.messages.at(-1)?.parts[1]).toMatchObject({ type: 'tool-research', output: 'Nobody knows.' })
    expect(await world.load()).toEqual(JSON.parse(JSON.stringify(other.messages)))
    expect(world.verdicts()).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
  })

  test('[AI73] a question of an agent that was decided before a crash goes on when the chat is resumed', async () => {
    const script = [{ calls: [{ name: 'research' }] }, { calls: [{ name: 'look' }] }, 'Blue.', 'I see.']
    await using world = await start(client, script, { hasAgent: true, approval: true })
    const talk = client.open({ url: world.elsewhere, id: 'c1' })
    await talk.send('What colour is the sky?')
    await world.kill()
    expect((await fetch(`${world.here}/api/chat/c1/stream`)).status).toBe(204)
    await world.approve()
    const other = client.open({ url: world.here, id: 'c1', messages: await world.load() })
    await other.resume()
    expect(words(other)).toEqual(['I see.'])
    expect(other.messages.at(-1)?.parts[1]).toMatchObject({ type: 'tool-research', output: 'Blue.' })
    expect(world.verdicts()).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
  })
})

test('[AI19] a message after the kill is answered, after the outcome of the call', async () => {
  await using world = await start(client7, [{ calls: [{ name: 'look' }] }, 'I am here.'])
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  const sending = talk.send('What colour is the sky?')
  await world.heard('begun')
  await world.kill()
  await sending
  const reloaded = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
  await reloaded.send('Are you there?')
  expect(words(reloaded)).toEqual(['I am here.'])
  expect((await world.load()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(world.verdicts()).toEqual(['accepted', 'accepted'])
})

test('[AI19] the work of a killed server can be stopped', async () => {
  await using world = await start(client7, [{ calls: [{ name: 'look' }] }])
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  const sending = talk.send('What colour is the sky?')
  await world.heard('begun')
  await world.kill()
  await sending
  const response = await fetch(`${world.here}/api/chat/c1/stream`, { method: 'DELETE' })
  expect(await response.json()).toEqual({ isInterrupted: true })
  await eventually(async () => expect(await world.status()).toMatchObject({ state: 'idle', openCalls: 0 }))
  expect((await world.load()).at(-1)?.parts[1]).toMatchObject({ type: 'tool-look', state: 'output-error' })
})

test('[AI28] a client that waits for another process continues when that process is killed, also after the wait for the lease has ended', async () => {
  await using world = await start(client7, [{ text: 'I look.', calls: [{ name: 'look' }] }, 'Nobody knows.'], {
    takeOverMs: 0,
  })
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  const sending = talk.send('What colour is the sky?')
  await world.heard('begun')
  const other = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
  const resuming = other.resume()
  await eventually(() => expect(other.status).toBe('streaming'))
  await world.kill()
  await Promise.all([sending, resuming])
  expect(words(other)).toEqual(['I look.', 'Nobody knows.'])
  expect(await world.load()).toEqual(JSON.parse(JSON.stringify(other.messages)))
  expect(world.verdicts()).toEqual(['accepted', 'accepted'])
})

test('[AI18] a stream of another process is sent as far as it is recorded', async () => {
  await using world = await start(client7, [slowly, 'Good.'], { leaseMs: 60_000 })
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  const sending = talk.send('Tell me a story.')
  await eventually(() => expect(words(talk).join()).toContain('very'))
  const other = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
  await Promise.all([sending, other.resume()])
  expect(words(other)).toEqual([slowly.text])
  expect(other.messages).toEqual(talk.messages)
  await other.send('And then?')
  expect(words(other)).toEqual(['Good.'])
  expect(world.verdicts()).toEqual(['accepted', 'accepted'])
})

test('[AI80] tabs that open at any moment show what another process streams, each word once', async () => {
  await using world = await start(client7, [slowly, 'Good.'], { leaseMs: 60_000, live: true })
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  let isSent = false
  const sending = talk.send('Tell me a story.').finally(() => {
    isSent = true
  })
  await eventually(() => expect(words(talk).join()).toContain('very'))
  const tabs: Talk[] = []
  const resuming: Promise<void>[] = []
  while (!isSent && tabs.length < 50) {
    const tab = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
    tabs.push(tab)
    resuming.push(tab.resume())
    await new Promise(resolve => setTimeout(resolve, 15))
  }
  await Promise.all([sending, ...resuming])
  // The last tabs may have come when everything was recorded.
  expect(tabs.length).toBeGreaterThan(3)
  for (const tab of tabs) {
    if (tab.messages.at(-1)?.role === 'user') tab.show(await world.load())
    expect(words(tab)).toEqual([slowly.text])
  }
  expect(world.verdicts()).toEqual(['accepted'])
})

test('[AI80] a tab shows words that another process has not recorded, and the answer of the next owner when it is killed', async () => {
  const verySlowly = { ...slowly, fail: 'slow:250' } as const
  await using world = await start(client7, [verySlowly, 'Good.'], { live: true })
  const talk = client7.open({ url: world.elsewhere, id: 'c1' })
  const sending = talk.send('Tell me a story.')
  await eventually(() => expect(words(talk).join()).toContain('very'))
  const tab = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
  const resuming = tab.resume()
  await eventually(() => expect(words(tab).join()).toContain('very'))
  await world.kill()
  await Promise.all([sending, resuming])
  const [begun = '', answer] = words(tab)
  expect(verySlowly.text.startsWith(begun) && begun !== verySlowly.text).toBe(true)
  expect(answer).toBe('Good.')
  expect(words({ ...tab, messages: await world.load() })).toEqual(['Good.'])
})

test('[AI80] a tab shows over Redis what another process streams', async () => {
  const redis = await startRedis()
  try {
    const story = { ...slowly, fail: 'slow:150' } as const
    await using world = await start(client7, [story], { leaseMs: 60_000, live: redisUrl(redis.port) })
    const talk = client7.open({ url: world.elsewhere, id: 'c1' })
    const sending = talk.send('Tell me a story.')
    await eventually(() => expect(words(talk).join()).toContain('very'))
    const tab = client7.open({ url: world.here, id: 'c1', messages: await world.load() })
    const resuming = tab.resume()
    await eventually(() => expect(words(tab).join()).toContain('very'))
    expect(words(tab)).not.toEqual([story.text])
    await Promise.all([sending, resuming])
    expect(words(tab)).toEqual([story.text])
  } finally {
    await redis.stop()
  }
})

interface Setup {
  /** The processes tell each other what streams. */
  live?: boolean | string
  takeOverMs?: number
  /** How long a killed server keeps its threads. A slow machine must not take them from one that lives. */
  leaseMs?: number
  /** The tool is an agent's, with an approval or without. */
  hasAgent?: boolean
  approval?: boolean
}

/** A server in a process of its own, and one here, with one journal and one provider. */
async function start(client: ChatClient, script: ReplyScript, options: Setup = {}) {
  const { takeOverMs, leaseMs = 1_500, hasAgent = false, approval = false, live = false } = options
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-chat-'))
  const file = join(folder, 'chat.db')
  const strict = await startStrict({ script })
  const more = hasAgent ? [approval ? 'asks' : 'runs'] : []
  const child = fork(
    programFile('chat-server'),
    [file, strict.url, client.name, String(leaseMs), String(live), ...more],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const { url } = await heard(child, 'ready')
  const journal = await openJournal(`sqlite:${file}`, { live })
  const look = { execute: () => 'blue', approval }
  const tools = hasAgent ? { research: agentWith(client, strict.url, { look }) } : { look: client.tool(look.execute) }
  const handlerOptions = {
    ...{ model: client.models.openai(strict.url), tools, thread: { leaseMs }, onError() {} },
    ...(takeOverMs === undefined ? {} : { takeOverMs }),
  }
  const site = await startSite(chatHandler(journal, handlerOptions))
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    ...{ elsewhere: url, here: site.url, kill },
    heard: (kind: string) => heard(child, kind),
    load: (): Promise<Talk['messages'][number][]> => loadUIMessages(journal, 'c1'),
    status: () => journal.thread('c1').status(),
    async approve() {
      const thread = journal.thread('c1')
      for (const { id, parked } of await thread.openCalls({ deep: true }))
        if (parked?.why === 'approval') await thread.approve(id)
    },
    verdicts: () => strict.requests.map(({ verdict }) => verdict),
    async [Symbol.asyncDispose]() {
      await kill()
      await site[Symbol.asyncDispose]()
      await journal.close()
      await strict.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function heard(child: ChildProcess, kind: string): Promise<{ url: string }> {
  for (;;) {
    const [message] = await once(child, 'message')
    if (message.kind === kind) return message
  }
}

const words = ({ messages }: Talk): string[] =>
  messages.at(-1)?.role === 'assistant' ? (messages.at(-1)?.parts.flatMap(({ text }) => text ?? []) ?? []) : []
