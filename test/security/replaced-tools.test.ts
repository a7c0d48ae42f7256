import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { agent, MemoryStore, openJournal, run, type Tool } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

test.each<[string, Tool]>([
  ['an agent', { ...agent({ model: () => says('Paid.') }), replay: 'safe' }],
  ['a tool of the client', { replay: 'safe' }],
])('[SE576] a call that was running during a crash ends, if its tool is now %s', async (_, pay) => {
  const store = new MemoryStore()
  const read = store.read.bind(store)
  // Lets other work go on, as a store in a database does.
  store.read = async (...place) => {
    await setImmediate()
    return read(...place)
  }
  const [crashed, journal] = [await openJournal(store), await openJournal(store)]
  const lost = crashed.thread('t', { for: 'openai', leaseMs: 0 })
  await lost.submit('Pay')
  const turn = await lost.turn()
  const [call] = (await turn?.record(calls(['pay']))) ?? []
  if (call) await turn?.start(call)
  const thread = journal.thread('t', { for: 'openai' })
  const running = run(thread, { model: () => says('Done.'), tools: { pay }, waitMs: 60_000 })
  expect(await Promise.race([running, sleep(10_000)])).toMatchObject({ status: 'done' })
  expect(JSON.stringify(await thread.messages())).toContain('not known')
  await turn?.[Symbol.asyncDispose]().catch(() => {})
})
