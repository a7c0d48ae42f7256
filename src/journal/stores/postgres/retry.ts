import { setTimeout as sleep } from 'node:timers/promises'
import { neverSent, postgresFailure, postgresFailureKind } from './failure.ts'

export interface RetryOptions {
  /** How long a statement is retried after conflicts. */
  readonly busyMs: number
  /** How long to wait for a server that is unreachable. */
  readonly reconnectMs: number
  /** Ends the wait for a server. */
  readonly signal: AbortSignal
  /** Names the server in errors. */
  readonly place: string
  /** Whether the caller must know if the work was stored. */
  readonly writes: boolean
}

/**
 * Retries the work as long as that may help. `doubtful` is true after the connection broke: an earlier try may have been
 * stored, or may still be.
 */
export async function retry<T>(work: (doubtful: boolean) => Promise<T>, options: RetryOptions): Promise<T> {
  const { busyMs, reconnectMs, signal, place, writes } = options
  const backoff = { conflict: new Backoff(busyMs, 100), broken: new Backoff(reconnectMs, 1_000, signal) }
  let doubtful = false
  for (;;) {
    try {
      return await work(doubtful)
    } catch (error) {
      const kind = postgresFailureKind(error)
      if (kind === 'broken' && !neverSent(error)) doubtful = true
      if (kind === 'final' || !(await backoff[kind].wait())) throw postgresFailure(error, place, doubtful && writes)
    }
  }
}

/** Exponential backoff with full jitter, for at most `maxMs` in total. */
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

  /** Returns false if the time is over. */
  async wait(): Promise<boolean> {
    this.#end ??= performance.now() + this.#maxMs
    const leftMs = this.#end - performance.now()
    if (leftMs <= 0 || this.#signal?.aborted) return false
    this.#spanMs = Math.min(this.#spanMs * 2, this.#longestMs)
    const waitMs = Math.min(Math.random() * this.#spanMs, leftMs)
    return sleep(waitMs, true, this.#signal && { signal: this.#signal }).catch(() => false)
  }
}
