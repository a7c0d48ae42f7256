import type { Clock } from '../../../src/journal/clock.ts'

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 0, 1)
  readonly #timers = new Set<Timer>()

  now = (): number => this.#now

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Lets time pass: every timer goes off at its own moment, and what it brings about comes to rest before the next one. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await rest()
    for (;;) {
      const timer = this.#next(end)
      if (!timer) break
      this.#now = Math.max(this.#now, timer.at)
      this.#timers.delete(timer)
      timer.callback()
      await rest()
    }
    // Somebody else may have let more time pass meanwhile.
    this.#now = Math.max(this.#now, end)
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer
    return next
  }
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** A few rounds of the event loop: a group commit takes one, and what it brings about another. */
async function rest(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise(resolve => setImmediate(resolve))
}
