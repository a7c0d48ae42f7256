import type { Clock } from '../../../src/journal/clock.ts'
import { FakeClock } from './fake-clock.ts'

/** A clock that can be set, as that of a machine can; its timers go on all the same. */
export class SettableClock implements Clock {
  readonly #clock = new FakeClock()
  aheadMs = 0

  now = (): number => this.#clock.now() + this.aheadMs

  after(ms: number, callback: () => void): () => void {
    return this.#clock.after(ms, callback)
  }

  advance(ms: number): Promise<void> {
    return this.#clock.advance(ms)
  }
}
