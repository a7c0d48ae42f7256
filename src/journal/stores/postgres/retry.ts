import { setTimeout as sleep } from 'node:timers/promises'
import { neverSent, postgresFailure, postgresFailureKind } from './failure.ts'

export interface RetryOptions {
  /** How long a statement is run again when others were in its way. */
  readonly busyMs: number
  /** How long a server that went away is waited for. */
  readonly reconnectMs: number
  /** Ends the wait for a server. */
  readonly signal: AbortSignal
  /** Names the server in errors. */
  readonly place: string
  /** Whether the work writes something of which the caller must know if it is there. */
  readonly writes: boolean
}

/**
 * Runs the work again as long as that may help. It is told whether it is in doubt: the connection broke, so that an earlier
 * try may have been carried out, or may still be.
 */
export async function retry<T>(work: (doubtful: boolean) => Promise<T>, options: RetryOptions): Promise<T> {
  const { busyMs, reconnectMs, signal, place, writes } = options
  const patience = { conflict: new Backoff(busyMs, 100), broken: new Backoff(reconnectMs, 1_000, signal) }
  let doubtful = false
  for (;;) {
    try {
      return await work(doubtful)
    } catch (error) {
      const kind = postgresFailureKind(error)
      if (kind === 'broken' && !neverSent(error)) doubtful = true
      if (kind === 'final' || !(await patience[kind].wait())) throw postgresFailure(error, place, doubtful && writes)
    }
  }
}

/** Waits at random up to a span that doubles every time, and all in all only so long. */
class Backoff {
  readonly #maxMs: number
  readonly #longestMs: number
  readonly #signal: AbortSignal | undefined
  #spanMs = 4
  #end: number | undefined

  constructor(maxMs: number, longestMs: number, signal?: AbortSignal) {
    this.#maxMs = maxMs
    this.#longestMs = longestMs
    this.#signal = signal
  }

  /** False if there is no patience left. */
  async wait(): Promise<boolean> {
    this.#end ??= performance.now() + this.#maxMs
    const leftMs = this.#end - performance.now()
    if (leftMs <= 0 || this.#signal?.aborted) return false
    this.#spanMs = Math.min(this.#spanMs * 2, this.#longestMs)
    const waitMs = Math.min(Math.random() * this.#spanMs, leftMs)
    return sleep(waitMs, true, this.#signal && { signal: this.#signal }).catch(() => false)
  }
}
