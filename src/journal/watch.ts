import { assertBranch, isOfBranch } from './branches/thread-branch.ts'
import { type Clock, sleep } from './clock.ts'
import type { Entry } from './entry.ts'
import { currentBranch } from './fold.ts'
import { closesResponse, type LiveItem, LiveReader, mayStream, readOffset } from './live/live-reader.ts'
import type { Log } from './log.ts'

export interface WatchOptions {
  /** Start after this sequence number; by default at the beginning. */
  readonly after?: number
  readonly live?: false
  readonly signal?: AbortSignal
  /** Only the entries of this branch, those that it shares with its ancestors included, and every input. By default the whole log. */
  readonly branch?: number
}

export interface LiveWatchOptions extends Omit<WatchOptions, 'after' | 'live'> {
  /** Also yield the deltas of the response that is streaming. Those of other processes need a transport (`JournalOptions.live`). */
  readonly live: true
  /** Start after the entry with this sequence number, or at the `offset` of a delta. */
  readonly after?: number | string
}

/**
 * The entries of a thread after a position, live, each once and in order. Entries of this process come at once, and so do those of other
 * processes while a transport is connected; otherwise the store is polled, less often while nothing happens. Ends when the signal is aborted.
 */
export async function* watch(log: Log, clock: Clock, options: WatchOptions): AsyncGenerator<Entry> {
  const { after = 0, signal, branch } = options
  const { position } = readOffset(after)
  if (log.live.hasTransport) await log.catchUp()
  const leave = log.live.join()
  try {
    yield* entriesAfter(log, clock, position, signal, branch)
  } finally {
    leave()
  }
}

async function* entriesAfter(
  log: Log,
  clock: Clock,
  after: number,
  signal: AbortSignal | undefined,
  branch: number | undefined,
): AsyncGenerator<Entry> {
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
      if (entries.length === 0) await sleep(clock, log.live.isConnected ? safetyMs : pauseMs, wake.signal)
      pauseMs = entries.length > 0 ? pauseMin : Math.min(pauseMs * 2, pauseMax)
    } finally {
      wake.unsubscribe()
    }
  }
}

/**
 * The entries, and between them the deltas of the response that is streaming. Nothing is queued for a slow reader: if the response has been recorded
 * when it reads on, it gets the entry.
 */
export async function* watchLive(log: Log, clock: Clock, options: LiveWatchOptions): AsyncGenerator<LiveItem> {
  const { after = 0, signal, branch } = options
  const start = readOffset(after)
  const state = await log.catchUp()
  if (branch !== undefined) assertBranch(state, branch)
  const mayHaveText = start.shown === undefined && (await mayStreamBefore(log, start.position))
  const reader = new LiveReader({ ...start, mayHaveText }, log.known)
  const isShown = (entry: Entry): boolean => branch === undefined || isOfBranch(log.state, entry, branch)
  let wakeReader = (): void => {}
  const leave = log.live.join(() => wakeReader())
  let pauseMs = pauseMin
  try {
    while (!signal?.aborted) {
      const wake = wakeUp(log, signal)
      wakeReader = wake.wake
      try {
        const entries = log.state.head > reader.position ? await log.read(reader.position, pageSize) : []
        // The state says to which branch an entry belongs, and the store may have entries that the state does not have yet.
        if (branch !== undefined && entries.length > 0) await log.catchUp()
        for (const entry of entries)
          for (const item of reader.entry(entry, log.live.now)) {
            if (signal?.aborted) return
            if (item !== entry || isShown(entry)) yield item
          }
        const isCurrent = branch === undefined || currentBranch(log.state) === branch
        const items = entries.length === 0 && isCurrent ? reader.pull(log.live.now) : []
        for (const item of items) {
          if (signal?.aborted) return
          yield item
        }
        const isNews = entries.length + items.length > 0
        pauseMs = isNews ? pauseMin : Math.min(pauseMs * 2, pauseMax)
        if (isNews || wake.signal.aborted) continue
        await sleep(clock, log.live.isConnected ? safetyMs : pauseMs, wake.signal)
        if (!wake.signal.aborted) await log.catchUp()
      } finally {
        wake.unsubscribe()
      }
    }
  } finally {
    leave()
  }
}

/** Whether a response may have streamed right before an entry. */
async function mayStreamBefore(log: Log, position: number): Promise<boolean> {
  const after = Math.max(0, position - pageSize)
  const entries = position > 0 ? await log.read(after, position - after) : []
  const isWhole = entries.at(-1)?.seq === position && (after === 0 || entries.some(closesResponse))
  return position > 0 && (!isWhole || mayStream(entries))
}

/**
 * Waits before a thread that has an owner is tried again: while a transport is connected until something is written to the thread, at most a
 * second; otherwise for a tenth of one. Returns how many milliseconds count as waited: never 0, even if the clock was set back.
 */
export async function untilChanged(log: Log, clock: Clock, maxMs: number, signal?: AbortSignal): Promise<number> {
  const { isConnected } = log.live
  const ms = Math.min(maxMs, isConnected ? connectedPollMs : pollMs)
  const since = clock.now()
  const leave = log.live.join()
  const wake = isConnected ? wakeUp(log, signal) : undefined
  try {
    await sleep(clock, ms, wake?.signal ?? signal)
  } finally {
    wake?.unsubscribe()
    leave()
  }
  return wake ? Math.min(ms, Math.max(1, clock.now() - since)) : ms
}

/** A signal that is aborted when this process writes to the thread or reads new entries of it, or when the watch ends. */
function wakeUp(
  log: Log,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; wake(): void; unsubscribe(): void } {
  const controller = new AbortController()
  const wake = (): void => controller.abort()
  const unsubscribe = log.listen(wake)
  signal?.addEventListener('abort', wake, { once: true })
  return {
    signal: controller.signal,
    wake,
    unsubscribe() {
      unsubscribe()
      signal?.removeEventListener('abort', wake)
    },
  }
}

const pauseMin = 25
const pauseMax = 1_000
const pageSize = 200

/** How often to try to take a thread that has an owner. */
const pollMs = 100
const connectedPollMs = 1_000

/** How often to read while a transport announces what other processes write: an announcement may get lost. */
const safetyMs = 10_000
