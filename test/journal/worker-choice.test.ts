import { expect, test } from 'vitest'
import { systemClock } from '../../src/journal/clock.ts'
import { Journal } from '../../src/journal/journal.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import type { Thread } from '../../src/journal/thread.ts'
import type { Turn } from '../../src/journal/turn.ts'
import { Worker } from '../../src/journal/worker.ts'
import { calls, says } from './contract/model.ts'
import { withMethods } from './contract/with-methods.ts'

/** The turn of a thread in which the user has just spoken. */
async function taken(thread: Thread, words: string): Promise<Turn> {
  await thread.submit(words)
  const turn = await thread.turn()
  if (!turn) throw new Error('there is nothing to do')
  return turn
}

test('[B247] workers that poll at the same moment choose different threads, and the longest-waiting one', async () => {
  const store = new MemoryStore()
  for (let index = 0; index < 100; index++) {
    const { thread } = await store.open(`t${index}`)
    await store.write({ thread, entries: [], dueAt: 1_000 + index })
  }
  const choices = await Promise.all(['a', 'b', 'c'].map(choiceOf))
  for (const choice of choices) {
    expect(choice[0]).toBe('t0')
    expect(new Set(choice).size).toBe(8)
  }
  expect(new Set(choices.flat()).size).toBeGreaterThan(12)

  /** What a worker takes first. */
  async function choiceOf(owner: string): Promise<string[]> {
    const taken: string[] = []
    const thread = (name: string): never => {
      taken.push(name)
      throw new Error('only looked at')
    }
    const options = { thread: { for: 'openai' }, threads: 8, model: () => ({}), onError: () => {} } as const
    const worker = new Worker({ owner, store: withMethods(store, {}), clock: systemClock, thread }, options)
    while (taken.length === 0) await new Promise(setImmediate)
    await worker.stop()
    return taken.slice(0, 8)
  }
})

test('[B250] threads that fail repeatedly delay neither other threads nor timers', async () => {
  const journal = new Journal(new MemoryStore(), systemClock, 'here')
  for (let index = 0; index < 300; index++) await approved(journal.thread(`lacks its tool ${index}`))
  await journal.thread('good').submit('Hello?')
  let told = 0
  const worker = journal.work({
    ...{ thread: { for: 'openai' }, threads: 2, pollMs: 1, model: () => says('Hello.') },
    onError: () => told++,
  })
  while ((await journal.thread('good').status()).state !== 'idle') await new Promise(resolve => setTimeout(resolve, 5))
  expect(told).toBeGreaterThan(0)
  await worker.stop()
})

test('[B244] a worker without a tool ends a call that no longer needs it: the turn was interrupted, or the outcome is unknown', async () => {
  let isDead = false
  const store = new MemoryStore()
  const renew: MemoryStore['renew'] = async (...lease) => !isDead && store.renew(...lease)
  const dying = new Journal(withMethods(store, { renew }), systemClock, 'dying')
  const journal = new Journal(store, systemClock, 'here')
  for (const name of ['interrupted', 'started']) {
    const turn = await taken(dying.thread(name, { leaseMs: 30 }), 'Buy.')
    const [call] = await turn.record(calls(['buy']))
    await turn.parkCall(call, 'approval')
    await dying.thread(name).approve(call.id)
    if (name === 'started') await turn.start(call)
  }
  isDead = true
  await journal.thread('interrupted').interrupt('enough')
  const worker = journal.work({ thread: { for: 'openai' }, pollMs: 5, model: () => says('Well.'), onError: () => {} })
  for (const name of ['interrupted', 'started'])
    while ((await journal.thread(name).status()).state !== 'idle') await new Promise(resolve => setTimeout(resolve, 5))
  await worker.stop()
})

/** Leaves the thread with a call that somebody has approved. */
async function approved(thread: Thread): Promise<void> {
  const turn = await taken(thread, 'Buy.')
  const [call] = await turn.record(calls(['buy']))
  await turn.parkCall(call, 'approval')
  await turn.park()
  await thread.approve(call.id)
}
