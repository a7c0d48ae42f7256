import type { Clock } from '../../../src/journal/clock.ts'

/** The clock of a process that can be paused: while it is, no timer of it goes off. Time passes all the same. It may be wrong. */
export class PausingClock implements Clock {
  readonly #clock: Clock
  readonly #aheadMs: number
  readonly #held = new Set<() => void>()
  #isPaused = false

  constructor(clock: Clock, aheadMs: number) {
    this.#clock = clock
    this.#aheadMs = aheadMs
  }

  now = (): number => this.#clock.now() + this.#aheadMs

  after(ms: number, callback: () => void): () => void {
    const ring = (): void => {
      if (this.#isPaused) this.#held.add(callback)
      else callback()
    }
    const cancel = this.#clock.after(ms, ring)
    return () => {
      cancel()
      this.#held.delete(callback)
    }
  }

  pause(): void {
    this.#isPaused = true
  }

  /** Everything that was due goes off now. */
  resume(): void {
    this.#isPaused = false
    const held = [...this.#held]
    this.#held.clear()
    for (const callback of held) callback()
  }
}
