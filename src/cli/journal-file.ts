import { existsSync } from 'node:fs'
import { AntiphonError } from '../errors.ts'
import type { Entry } from '../journal/entry.ts'
import { evolve, initialState, type ThreadState } from '../journal/fold.ts'
import { openStore } from '../journal/open-store.ts'
import type { Store, ThreadRow } from '../journal/store.ts'
import { unreadable } from './complaint.ts'
import { nearest } from './nearest.ts'

/** Opens a journal to look at it: a file of SQLite, or the address of a PostgreSQL database. Nothing is written. */
export async function withJournal<T>(place: string, look: (store: Store) => Promise<T>): Promise<T> {
  const isAddress = /^postgres(ql)?:/.test(place)
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  if (!isAddress && !existsSync(file)) throw unreadable(file, 'there is no such file')
  const store = await openStore(isAddress ? place : `sqlite:${file}`, { readOnly: true })
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** All threads, oldest first. */
export async function* allThreads(store: Store): AsyncGenerator<ThreadRow> {
  for (let after = 0; ; ) {
    const rows = await store.list(after, pageSize)
    yield* rows
    if (rows.length < pageSize) return
    after = rows[rows.length - 1].thread
  }
}

export async function threadNamed(store: Store, name: string): Promise<ThreadRow> {
  const row = await store.find(name)
  if (row) return row
  const names: string[] = []
  for await (const { name: other } of allThreads(store)) if (names.push(other) >= namesMax) break
  const near = nearest(name, names, 3)
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'antiphon threads lists those that there are'
  throw new AntiphonError('no-thread', `there is no thread "${name}"`, { hint })
}

export async function* allEntries(store: Store, { thread }: ThreadRow): AsyncGenerator<Entry> {
  for (let after = 0; ; ) {
    const entries = await store.read(thread, after, pageSize)
    yield* entries
    if (entries.length < pageSize) return
    after = entries[entries.length - 1].seq
  }
}

export async function stateOf(store: Store, row: ThreadRow): Promise<ThreadState> {
  const state = initialState(row.uid)
  for await (const entry of allEntries(store, row)) evolve(state, entry)
  return state
}

const pageSize = 500
const namesMax = 10_000
