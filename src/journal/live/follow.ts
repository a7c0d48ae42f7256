import type { Entry } from '../entry.ts'
import { callListener } from './call-listener.ts'
import { type LiveItem, LiveReader } from './live-reader.ts'
import type { LiveThread } from './live-thread.ts'

/** What `follow` needs of the log of a thread in this process. */
export interface FollowedLog {
  /** The name of the thread. */
  readonly name: string
  readonly live: LiveThread
  readonly isRead: boolean
  /** The newest epoch, and the last entry that ended a response. */
  readonly known: { readonly epoch: number; readonly closedAt: number; readonly head: number }
  listen(listener: (entries: readonly Entry[]) => void): () => void
}

/** Calls the listener with every entry that this process writes or reads from now on, and with the deltas that are streamed between them. */
export function follow(log: FollowedLog, listener: (item: LiveItem) => void): () => void {
  let reader = log.isRead ? readerAt(log.known.head) : undefined
  // A listener that throws still gets later items, and does not disturb the response.
  const notify = (item: LiveItem): void => callListener(log.name, () => listener(item))
  function readerAt(position: number): LiveReader {
    return new LiveReader({ position }, log.known)
  }
  const pull = (): void => {
    if (!log.isRead) return
    reader ??= readerAt(log.known.head)
    for (const item of reader.pull(log.live.now)) notify(item)
  }
  const stopListening = log.listen(entries => {
    if (entries.length === 0) return
    reader ??= readerAt((entries[0]?.seq ?? 1) - 1)
    for (const entry of entries) for (const item of reader.entry(entry, log.live.now)) notify(item)
    pull()
  })
  const leave = log.live.join(pull)
  pull()
  return () => {
    stopListening()
    leave()
  }
}
