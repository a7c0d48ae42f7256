import { existsSync } from 'node:fs'
import { Option } from 'commander'
import { AntiphonError } from '../errors.ts'
import type { Entry } from '../journal/entry.ts'
import { evolve, initialState, type ThreadState } from '../journal/fold.ts'
import { openStore } from '../journal/open-store.ts'
import type { Store, ThreadRow } from '../journal/store.ts'
import { unreadable } from '../unreadable.ts'
import { nearest } from './nearest.ts'

export interface JournalFlags {
  readonly schema?: string
}

export const schemaOption = (): Option =>
  new Option(
    '--schema <name>',
    'the PostgreSQL schema that the journal is in, if it is not the first of the search path',
  )

/** Opens a journal to look at it: a file of SQLite, or the address of a PostgreSQL database. Nothing is written. */
export async function withJournal<T>(
  place: string,
  { schema }: JournalFlags,
  look: (store: Store) => Promise<T>,
): Promise<T> {
  const isAddress = /^postgres(ql)?:/i.test(place)
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  // What looks like an address is not repeated: there may be a password in it.
  if (!isAddress && /:\/\/|password=/i.test(file))
    throw unreadable('the journal', 'no journal is kept at such an address', 'a file of SQLite, or postgres://...')
  if (!isAddress && !existsSync(file)) throw unreadable(file, 'there is no such file')
  const options = { readOnly: true, reconnectMs: 2_000, ...(schema === undefined ? {} : { schema }) }
  const store = await openStore(isAddress ? place : `sqlite:${file}`, options)
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
const namesMax = 10_000
