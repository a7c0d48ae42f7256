import { AntiphonError } from '../errors.ts'
import type { Clock } from './clock.ts'

export interface Pulse {
  readonly leaseMs: number
  /** False if the lease is somebody else's. */
  renew(): Promise<boolean>
  /** Reads what others have written. */
  look(): Promise<unknown>
  lost(error: AntiphonError): void
}

/** Keeps a lease alive, and looks again and again at what others write, more seldom while nothing happens. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #pulse: Pulse
  #cancel: () => void = () => {}
  #renewedAt: number
  #pauseMs = pauseMin
  #isStopped = false

  constructor(clock: Clock, pulse: Pulse) {
    this.#clock = clock
    this.#pulse = pulse
    this.#renewedAt = clock.now()
    this.#next()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #next(): void {
    if (this.#isStopped) return
    this.#cancel = this.#clock.after(Math.min(this.#pauseMs, this.#pulse.leaseMs / 3), () => void this.#beat())
  }

  async #beat(): Promise<void> {
    const { leaseMs, renew, look, lost } = this.#pulse
    try {
      if (this.#clock.now() - this.#renewedAt >= leaseMs / 3) {
        const before = this.#clock.now()
        if (!(await renew())) {
          this.stop()
          return lost(new AntiphonError('fenced', 'the lease was lost to another owner'))
        }
        this.#renewedAt = before
      }
      await look()
    } catch {
      // A store that cannot be reached now may be later; the next write tells who owns the thread.
    }
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, pauseMax)
    this.#next()
  }
}

const pauseMin = 50
const pauseMax = 500
