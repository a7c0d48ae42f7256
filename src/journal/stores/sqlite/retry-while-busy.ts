import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, sqliteFailure } from './failure.ts'

/**
 * How long SQLite itself waits for a lock. That blocks the event loop, so it is short; the rest of the waiting is between tries.
 */
export const lockMs = 5

const pauseMsMax = 20

/** Retries until no other process has the lock, or `busyMs` have passed. */
export async function retryWhileBusy<T>(attempt: () => T, busyMs: number): Promise<T> {
  const end = performance.now() + busyMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw sqliteFailure(error)
    }
    // Jitter, so that processes that want the lock do not retry in step.
    await sleep(1 + Math.random() * pauseMsMax)
  }
}
