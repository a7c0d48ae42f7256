import type { Entry, TurnStatus } from '../entry.ts'
import { evolve, initialState, type ThreadState } from '../fold.ts'
import type { Store, ThreadRow } from './store.ts'

/** All threads, oldest first, but for those that are being erased. */
export async function* readThreads(store: Store): AsyncGenerator<ThreadRow> {
  for await (const row of listThreads(store)) if (row.state !== 'erased') yield row
}

/** All threads of which something is left, oldest first. */
export async function* listThreads(store: Store): AsyncGenerator<ThreadRow> {
  for (let after = 0; ; ) {
    const rows = await store.list(after, pageSize)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.thread
  }
}

/** The entries of a thread after a position; by default all of them. */
export async function* readEntries(
  store: Store,
  { thread }: Pick<ThreadRow, 'thread'>,
  position = 0,
): AsyncGenerator<Entry> {
  for (let after = position; ; ) {
    const entries = await store.read(thread, after, pageSize)
    yield* entries
    const last = entries.at(-1)
    if (!last) return
    after = last.seq
  }
}

export async function readState(store: Store, row: ThreadRow): Promise<ThreadState> {
  const state = initialState(row.uid)
  for await (const entry of readEntries(store, row)) evolve(state, entry)
  return state
}

/** How the last turn of a thread ended; undefined if none has. The thread is read from its end. */
export async function lastTurnStatus(
  store: Store,
  { thread, head }: Pick<ThreadRow, 'thread' | 'head'>,
): Promise<TurnStatus | undefined> {
  for (let end = head; end > 0; end -= tailSize) {
    let status: TurnStatus | undefined
    for (let after = Math.max(0, end - tailSize); after < end; ) {
      const entries = await store.read(thread, after, end - after)
      for (const entry of entries) if (entry.kind === 'turn-end') status = entry.status
      after = entries.at(-1)?.seq ?? end
    }
    if (status) return status
  }
  return undefined
}

/** The last entries of an idle thread nearly always include the end of its last turn. */
const tailSize = 20

const pageSize = 500
