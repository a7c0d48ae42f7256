import { expect, test } from 'vitest'
import { systemClock } from '../../src/broker/clock.ts'
import { Worker } from '../../src/broker/worker.ts'
import { MemoryStore } from '../../src/journal/memory.ts'
import { withMethods } from './contract/with-methods.ts'

test('[B247] workers who look at the same moment go for different threads, and for the one that waits longest', async () => {
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
