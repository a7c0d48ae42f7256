import type { Entry } from '../entry.ts'
import { evolve, initialState, type ThreadState } from '../fold.ts'
import type { Store, ThreadRow } from './store.ts'

/** All threads, oldest first. */
export async function* allThreads(store: Store): AsyncGenerator<ThreadRow> {
  for (let after = 0; ; ) {
    const rows = await store.list(after, pageSize)
    yield* rows
    if (rows.length < pageSize) return
    after = rows[rows.length - 1].thread
  }
}

/** The entries of a thread behind a position, by default all of them. */
export async function* allEntries(
  store: Store,
  { thread }: Pick<ThreadRow, 'thread'>,
  behind = 0,
): AsyncGenerator<Entry> {
  for (let after = behind; ; ) {
    const entries = await store.read(thread, after, pageSize)
    yield* entries
    if (entries.length === 0) return
    after = entries[entries.length - 1].seq
  }
}

export async function stateOf(store: Store, row: ThreadRow): Promise<ThreadState> {
  const state = initialState(row.uid)
  for await (const entry of allEntries(store, row)) evolve(state, entry)
  return state
}

const pageSize = 500
