import { type Clock, sleep } from './clock.ts'
import type { Entry } from './entry.ts'
import type { Log } from './log.ts'

export interface WatchOptions {
  /** Entries behind this position; by default all of them. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/**
 * The entries of a thread from any position on, live, each once and in order. What this process writes comes at once, what
 * others write is asked for, more and more seldom while nothing happens. It ends with the signal.
 */
export async function* watch(log: Log, clock: Clock, { after = 0, signal }: WatchOptions): AsyncGenerator<Entry> {
  let position = after
  let pauseMs = pauseMin
  while (!signal?.aborted) {
    const wake = wakeUp(log, signal)
    try {
      const entries = await log.read(position, pageSize)
      for (const entry of entries) {
        if (signal?.aborted) break
        position = entry.seq
        yield entry
      }
      if (entries.length === 0) await sleep(clock, pauseMs, wake.signal)
      pauseMs = entries.length > 0 ? pauseMin : Math.min(pauseMs * 2, pauseMax)
    } finally {
      wake.forget()
    }
  }
}

/** A signal that something may have happened here, or that the watcher has gone. */
function wakeUp(log: Log, signal: AbortSignal | undefined): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController()
  const wake = (): void => controller.abort()
  const forget = log.listen(wake)
  signal?.addEventListener('abort', wake, { once: true })
  return {
    signal: controller.signal,
    forget() {
      forget()
      signal?.removeEventListener('abort', wake)
    },
  }
}

const pauseMin = 25
const pauseMax = 1_000
const pageSize = 200
