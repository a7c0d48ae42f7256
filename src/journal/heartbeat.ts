import { AntiphonError } from '../core/errors.ts'
import type { Clock } from './clock.ts'
import { isErased } from './turn-errors.ts'

export interface LeaseWatch {
  readonly leaseMs: number
  /** Returns false if another process has the lease. */
  renew(): Promise<boolean>
  /** Reads what other processes have written. */
  poll(): Promise<unknown>
  /** Whether other processes say what they write: then it is read only as often as the lease is renewed. */
  isTold?(): boolean
  /** Called when another process has the lease, or with the error if the thread was erased. */
  lost(erased?: AntiphonError): void
}

/** Renews a lease, and polls for what other processes write, less often while nothing happens. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #lease: LeaseWatch
  #cancel: () => void = () => {}
  #renewedAt: number
  #pauseMs = pauseMin
  #isStopped = false
  #polling: Promise<void> | undefined
  #pollStartedAt = 0

  constructor(clock: Clock, lease: LeaseWatch) {
    this.#clock = clock
    this.#lease = lease
    this.#renewedAt = clock.now()
    this.#next()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #next(): void {
    if (this.#isStopped) return
    const renewMs = this.#lease.leaseMs / 3
    const pauseMs = this.#lease.isTold?.() ? renewMs : Math.min(this.#pauseMs, renewMs)
    this.#cancel = this.#clock.after(pauseMs, () => void this.#beat())
  }

  async #beat(): Promise<void> {
    const { leaseMs, renew, lost } = this.#lease
    try {
      const now = this.#clock.now()
      const sinceMs = now - this.#renewedAt
      // If the clock was set back, the time since the last renewal is unknown.
      const isDue = (sinceMs < 0 || sinceMs >= leaseMs / 3) && !this.#isStuck(now)
      const isOwner = !isDue || (await renew())
      if (isDue && isOwner) this.#renewedAt = now
      // Not awaited: it queues after the writes of this process, and a slow write must not cost the lease.
      const polled = this.#poll()
      if (!isOwner) {
        // The new owner wrote an entry. Reading it may already have reported the loss.
        await polled
        if (!this.#isStopped) lost()
      }
    } catch (error) {
      this.#stopIfFinal(error)
    }
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, pauseMax)
    this.#next()
  }

  /** A process whose store has not answered for this long lets the lease end, so that another process can take over. */
  #isStuck(now: number): boolean {
    return this.#polling !== undefined && now - this.#pollStartedAt > stuckLeases * this.#lease.leaseMs
  }

  #poll(): Promise<void> {
    if (!this.#polling) this.#pollStartedAt = this.#clock.now()
    this.#polling ??= this.#lease
      .poll()
      .then(
        () => {},
        error => this.#stopIfFinal(error),
      )
      .finally(() => {
        this.#polling = undefined
      })
    return this.#polling
  }

  /** A store that is unreachable may come back, and the next write shows who owns the thread. A closed one stays closed. */
  #stopIfFinal(error: unknown): void {
    if (AntiphonError.is(error) && error.code === 'journal-closed') this.stop()
    if (isErased(error) && !this.#isStopped) this.#lease.lost(error)
  }
}

const stuckLeases = 8
const pauseMin = 50
const pauseMax = 500
