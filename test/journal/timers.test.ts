import { expect, test } from 'vitest'
import type { Clock } from '../../src/journal/clock.ts'
import { Journal } from '../../src/journal/journal.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { FakeClock } from './contract/fake-clock.ts'
import { calls, forever } from './contract/model.ts'
import { taken } from './contract/turn.ts'

/** Knows how many timers have still to go off. */
class CountingClock implements Clock {
  readonly #clock = new FakeClock()
  readonly #waiting = new Set<object>()

  get timers(): number {
    return this.#waiting.size
  }

  now = (): number => this.#clock.now()

  after(ms: number, callback: () => void): () => void {
    const timer = {}
    const cancel = this.#clock.after(ms, () => {
      this.#waiting.delete(timer)
      callback()
    })
    this.#waiting.add(timer)
    return () => {
      cancel()
      this.#waiting.delete(timer)
    }
  }

  advance(ms: number): Promise<void> {
    return this.#clock.advance(ms)
  }
}

function opened(): { clock: CountingClock; journal: Journal } {
  const clock = new CountingClock()
  return { clock, journal: new Journal(new MemoryStore({ now: clock.now }), clock, 'here') }
}

test('[B217] an interruption leaves no timers running, however many calls there were', async () => {
  const { clock, journal } = opened()
  const thread = journal.thread('t')
  await thread.submit('Look.')
  const turn = await taken(thread)
  for (let round = 0; round < 3; round++)
    for (const call of await turn.record(calls(['look'], ['look'])))
      await turn.perform(call, () => 'a cat', { timeoutMs: 1_000 })
  const [call] = await turn.record(calls(['look']))
  const work = turn.perform(call, ({ signal }) => new Promise((_, no) => signal.addEventListener('abort', no)))
  await clock.advance(0)
  expect(clock.timers).toBe(1)
  await thread.interrupt()
  await work
  await turn[Symbol.asyncDispose]()
  expect({ status: turn.status, timers: clock.timers }).toEqual({ status: 'interrupted', timers: 0 })
})

test('[B217] nor does the end of the time of a tool in the grace period', async () => {
  const { clock, journal } = opened()
  const thread = journal.thread('t', { graceMs: 10_000 })
  await thread.submit('Look.')
  const turn = await taken(thread)
  const [call] = await turn.record(calls(['look']))
  const work = turn.perform(call, () => forever, { timeoutMs: 1_000 })
  await clock.advance(0)
  await thread.interrupt()
  await clock.advance(1_000)
  expect(await work).toMatchObject({ content: expect.stringContaining('within 1000 ms') })
  await turn[Symbol.asyncDispose]()
  expect(clock.timers).toBe(0)
})

test('[B214] a turn whose journal was closed does not keep the process alive', async () => {
  const { clock, journal } = opened()
  const thread = journal.thread('t')
  await thread.submit('Look.')
  const turn = await taken(thread)
  expect(clock.timers).toBe(1)
  await journal.close()
  await clock.advance(1_000)
  expect(clock.timers).toBe(0)
  await expect(turn.finish()).rejects.toMatchObject({ code: 'journal-closed' })
})
