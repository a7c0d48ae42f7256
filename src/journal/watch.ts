import { assertBranch, isOfBranch } from './branches/thread-branch.ts'
import { type Clock, sleep } from './clock.ts'
import type { Entry } from './entry.ts'
import type { Log } from './log.ts'

export interface WatchOptions {
  /** Start after this sequence number; by default at the beginning. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Only the entries of this branch, those that it shares with its ancestors included, and every input. By default the whole log. */
  readonly branch?: number
}

/**
 * The entries of a thread after a position, live, each once and in order. Entries of this process come at once; those of
 * other processes are polled, less often while nothing happens. Ends when the signal is aborted.
 */
export async function* watch(log: Log, clock: Clock, options: WatchOptions): AsyncGenerator<Entry> {
  const { after = 0, signal, branch } = options
  if (branch !== undefined) assertBranch(await log.catchUp(), branch)
  let position = after
  let pauseMs = pauseMin
  while (!signal?.aborted) {
    const wake = wakeUp(log, signal)
    try {
      const entries = await log.read(position, pageSize)
      if (branch !== undefined && entries.length > 0) await log.catchUp()
      for (const entry of entries) {
        if (signal?.aborted) break
        position = entry.seq
        if (branch === undefined || isOfBranch(log.state, entry, branch)) yield entry
      }
      if (entries.length === 0) await sleep(clock, pauseMs, wake.signal)
      pauseMs = entries.length > 0 ? pauseMin : Math.min(pauseMs * 2, pauseMax)
    } finally {
      wake.unsubscribe()
    }
  }
}

/** A signal that is aborted when this process writes, or when the watch ends. */
function wakeUp(log: Log, signal: AbortSignal | undefined): { signal: AbortSignal; unsubscribe(): void } {
  const controller = new AbortController()
  const wake = (): void => controller.abort()
  const unsubscribe = log.listen(wake)
  signal?.addEventListener('abort', wake, { once: true })
  return {
    signal: controller.signal,
    unsubscribe() {
      unsubscribe()
      signal?.removeEventListener('abort', wake)
    },
  }
}

const pauseMin = 25
const pauseMax = 1_000
const pageSize = 200
