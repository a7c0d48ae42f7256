import { AntiphonError } from '../core/errors.ts'
import type { Clock } from './clock.ts'

export interface Pulse {
  readonly leaseMs: number
  /** False if the lease is somebody else's. */
  renew(): Promise<boolean>
  /** Reads what others have written. */
  look(): Promise<unknown>
  /** The lease is somebody else's. */
  lost(): void
}

/** Keeps a lease alive, and looks again and again at what others write, more seldom while nothing happens. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #pulse: Pulse
  #cancel: () => void = () => {}
  #renewedAt: number
  #pauseMs = pauseMin
  #isStopped = false
  #looking: Promise<void> | undefined
  #askedAt = 0

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
    const { leaseMs, renew, lost } = this.#pulse
    try {
      const now = this.#clock.now()
      const sinceMs = now - this.#renewedAt
      // A clock that was set back says nothing of how long it was.
      const isDue = (sinceMs < 0 || sinceMs >= leaseMs / 3) && !this.#isStuck(now)
      const isOwner = !isDue || (await renew())
      if (isDue && isOwner) this.#renewedAt = now
      // Not waited for: it stands behind the writes of this process, and a slow one must not cost the lease.
      const look = this.#look()
      if (!isOwner) {
        // Whoever has taken the lease has written so: what is read may tell of it first.
        await look
        if (!this.#isStopped) lost()
      }
    } catch (error) {
      this.#heed(error)
    }
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, pauseMax)
    this.#next()
  }

  /** Who has got no answer for so long can do nothing with its lease: somebody else may. */
  #isStuck(now: number): boolean {
    return this.#looking !== undefined && now - this.#askedAt > stuckLeases * this.#pulse.leaseMs
  }

  #look(): Promise<void> {
    if (!this.#looking) this.#askedAt = this.#clock.now()
    this.#looking ??= this.#pulse
      .look()
      .then(
        () => {},
        error => this.#heed(error),
      )
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** A store that cannot be reached now may be later; the next write tells who owns the thread. A closed one stays closed. */
  #heed(error: unknown): void {
    if (AntiphonError.is(error) && error.code === 'journal-closed') this.stop()
  }
}

const stuckLeases = 8
const pauseMin = 50
const pauseMax = 500
