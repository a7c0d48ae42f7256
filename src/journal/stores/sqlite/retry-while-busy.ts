import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, sqliteFailure } from './failure.ts'

/**
 * How long SQLite itself waits for a lock. The event loop stands still meanwhile, so it is short, and the rest of the
 * waiting is done between tries.
 */
export const lockMs = 5

const pauseMsMax = 20

/** Tries until no other process has the lock, or `busyMs` have passed. */
export async function retryWhileBusy<T>(attempt: () => T, busyMs: number): Promise<T> {
  const end = performance.now() + busyMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw sqliteFailure(error)
    }
    // At random, so that processes that want the lock do not keep in step.
    await sleep(1 + Math.random() * pauseMsMax)
  }
}
