import { Option } from 'commander'
import { AntiphonError } from '../../core/errors.ts'
import { lookAtJournal, openUntrustedJournal } from '../../doctor/files/look-at-journal.ts'
import { openJournal } from '../../journal/journal.ts'
import { openStore } from '../../journal/stores/open-store.ts'
import { readThreads } from '../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../journal/stores/store.ts'
import type { Thread } from '../../journal/thread.ts'
import { nearest } from './nearest.ts'

export interface JournalFlags {
  readonly schema?: string
}

export const schemaOption = (): Option =>
  new Option('--schema <name>', 'the PostgreSQL schema of the journal (default: the first of the search path)')

/** Opens a journal for reading: an SQLite file, or the URL of a PostgreSQL database. Nothing is written. */
export async function withJournal<T>(
  place: string,
  flags: JournalFlags,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await lookAtJournal(place, flags).catch(error => {
    throw named(place, error)
  })
  try {
    return await read(store)
  } finally {
    await store.close()
  }
}

/** Opens an existing journal for writing. */
export async function withWritableJournal<T>(
  place: string,
  flags: JournalFlags,
  change: (store: Store) => Promise<T>,
): Promise<T> {
  // Opening for writing would create a journal in a database without one.
  await withJournal(place, flags, async () => {})
  const isFile = !/^postgres(ql)?:/i.test(place)
  const store = await (isFile
    ? openUntrustedJournal(place.replace(/^sqlite:(\/\/)?/, ''))
    : openStore(place, { reconnectMs: 2_000, ...flags }))
  try {
    return await change(store)
  } finally {
    await store.close()
  }
}

/** Opens an existing thread for writing. */
export async function changeThread(
  place: string,
  name: string,
  flags: JournalFlags,
  change: (thread: Thread) => Promise<void>,
): Promise<void> {
  await withWritableJournal(place, flags, async store => {
    await threadNamed(store, name)
    const journal = await openJournal(store, { telemetry: false })
    await change(journal.thread(name))
  })
}

/** Adds the file name to an error. A URL is not added, because it may contain a password. */
function named(place: string, error: unknown): unknown {
  if (!AntiphonError.is(error) || error.code === 'unreadable' || /:\/\/|^postgres/i.test(place)) return error
  const { code, message, hint, data } = error
  return new AntiphonError(code, `${place}: ${message}`, {
    ...data,
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  })
}

export async function threadNamed(store: Store, name: string): Promise<ThreadRow> {
  const row = await store.find(name)
  if (row) return row
  const names: string[] = []
  for await (const { name: other } of readThreads(store)) if (names.push(other) >= namesMax) break
  const near = nearest(name, names, 3)
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'antiphon threads lists them'
  throw new AntiphonError('unknown-thread', `unknown thread "${name}"`, { hint })
}

const namesMax = 10_000
