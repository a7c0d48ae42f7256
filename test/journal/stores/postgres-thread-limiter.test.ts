import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ThreadLimiter } from '../../../src/journal/stores/postgres/thread-limiter.ts'
import { range } from './contract/fixture.ts'

test('[WP21] writes to one thread go side by side, a few of them, in the order they came', async () => {
  const lines = new ThreadLimiter(6, 1_000)
  const began: number[] = []
  let passing = 0
  let passingMost = 0
  const passed = range(1, 20).map(index =>
    lines.run('write', 1, async () => {
      began.push(index)
      passingMost = Math.max(passingMost, ++passing)
      await sleep(1)
      passing--
      if (index === 7) throw new Error('seven')
    }),
  )
  const failed = (await Promise.allSettled(passed)).filter(({ status }) => status === 'rejected')
  expect(failed).toMatchObject([{ reason: { message: 'seven' } }])
  expect(began).toEqual(range(1, 20))
  expect(passingMost).toBe(3)
})

/** Lines in which each stands still until it is let go. */
class Standing {
  readonly #lines: ThreadLimiter
  /** Who has begun and stands, as its sort and its thread, with what lets it go. */
  readonly passing = new Map<() => void, string>()

  constructor(connections: number, waitMs = 10_000) {
    this.#lines = new ThreadLimiter(connections, waitMs)
  }

  async come(sort: 'write' | 'renewal', thread: number): Promise<void> {
    await this.#lines.run(
      sort,
      thread,
      () => new Promise(letGo => this.passing.set(letGo as () => void, `${sort} ${thread}`)),
    )
  }

  async letGo(letGo = [...this.passing.keys()][0]): Promise<void> {
    this.passing.delete(letGo)
    letGo()
    await new Promise(setImmediate)
  }

  /** Those threads have many writes, of which some have come through; then they are locked. */
  async lock(threads: readonly number[]): Promise<void> {
    this.#busy.push(...threads.flatMap(thread => range(1, 40).map(() => this.come('write', thread))))
    for (const _ of range(1, 20 * threads.length)) await this.letGo()
  }

  async begins(sort: 'write' | 'renewal', thread: number): Promise<boolean> {
    this.#busy.push(this.come(sort, thread))
    await new Promise(setImmediate)
    return [...this.passing.values()].includes(`${sort} ${thread}`)
  }

  async end(): Promise<void> {
    while (this.passing.size > 0) await this.letGo()
    await Promise.all(this.#busy)
  }

  readonly #busy: Promise<void>[] = []
}

test.each([
  { connections: 1, alone: 1, writes: 1, all: 1, locked: 0 },
  { connections: 2, alone: 1, writes: 1, all: 1, locked: 0 },
  { connections: 3, alone: 1, writes: 2, all: 2, locked: 1 },
  { connections: 4, alone: 1, writes: 2, all: 3, locked: 1 },
  { connections: 5, alone: 2, writes: 3, all: 4, locked: 1 },
  { connections: 6, alone: 3, writes: 4, all: 5, locked: 1 },
  { connections: 7, alone: 3, writes: 5, all: 6, locked: 2 },
  { connections: 10, alone: 5, writes: 8, all: 9, locked: 3 },
  { connections: 20, alone: 5, writes: 18, all: 19, locked: 8 },
])('[WP27] how many take up a connection: $connections', async ({ connections, alone, writes, all, locked }) => {
  const one = new Standing(connections)
  await one.lock([1])
  expect(one.passing.size).toBe(alone)
  await one.end()

  const several = new Standing(connections)
  if (locked > 0) await several.lock(range(1, locked))
  expect(await several.begins('write', 99)).toBe(true)
  await several.end()

  const many = new Standing(connections)
  await many.lock(range(1, 30))
  expect(many.passing.size).toBe(writes)
  for (const thread of range(101, 130)) await many.begins('renewal', thread)
  expect(many.passing.size).toBe(all)
  await many.end()
})

test('[WP27] a renewal does not wait for a write of its thread, and is sent before waiting writes', async () => {
  const lines = new Standing(10)
  expect(await lines.begins('write', 1)).toBe(true)
  expect(await lines.begins('renewal', 1)).toBe(true)
  await lines.end()
  const narrow = new Standing(1)
  expect(await narrow.begins('write', 1)).toBe(true)
  expect(await narrow.begins('write', 2)).toBe(false)
  expect(await narrow.begins('renewal', 3)).toBe(false)
  await narrow.letGo()
  expect([...narrow.passing.values()]).toEqual(['renewal 3'])
  await narrow.end()
})

test('[WP27] where connections are short, threads take turns', async () => {
  const lines = new Standing(1)
  const order: number[] = []
  const busy = [1, 1, 1, 1, 2, 3].map(async thread => {
    await lines.come('write', thread)
    order.push(thread)
  })
  while (lines.passing.size > 0) await lines.letGo()
  await Promise.all(busy)
  expect(order).toEqual([1, 1, 2, 3, 1, 1])
})

test('[WP27] a write that gave up waiting is not sent, and no other write waits for it', async () => {
  const lines = new Standing(1, 20)
  const first = lines.come('write', 1)
  for (const thread of [1, 2]) await expect(lines.come('write', thread)).rejects.toMatchObject({ code: 'journal-busy' })
  await lines.letGo()
  await first
  expect(lines.passing.size).toBe(0)
  expect(await lines.begins('write', 2)).toBe(true)
  await lines.end()
})
