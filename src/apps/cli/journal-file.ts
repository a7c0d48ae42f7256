import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import { lookAtJournal, openUntrustedJournal } from '../../doctor/files/look-at-journal.ts'
import { assertBranch } from '../../journal/branches/thread-branch.ts'
import type { ThreadState } from '../../journal/fold.ts'
import { transportToJoin } from '../../journal/live/transport-to-join.ts'
import { sealKeysOf } from '../../journal/seal/seal-keys.ts'
import { SealedStore } from '../../journal/seal/sealed-store.ts'
import { openStore } from '../../journal/stores/open-store.ts'
import { readThreads } from '../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../journal/stores/store.ts'
import type { Thread } from '../../journal/thread.ts'
import { openJoined } from '../viewer/sources/journal-actions.ts'
import { nearest } from './nearest.ts'

export interface JournalFlags {
  readonly schema?: string
  readonly sealKey?: string
  readonly live?: string
}

export const schemaOption = (): Option =>
  new Option('--schema <name>', 'the PostgreSQL schema of the journal (default: the first of the search path)')

export const sealKeyOption = (): Option =>
  new Option('--seal-key <file>', 'the key of a sealed journal: 32 bytes, raw or in hex or base64')

export const liveOption = (): Option =>
  new Option(
    '--live <url>',
    'see and announce changes at once instead of polling: "true" or a URL, the same that your programs pass to openJournal as live; not needed for an SQLite file',
  )

/** Opens a journal for reading: an SQLite file, or the URL of a PostgreSQL database. Nothing is written. */
export async function withJournal<T>(
  place: string,
  { sealKey, schema }: JournalFlags,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const unseal = sealWith(sealKey)
  const store = await lookAtJournal(place, schema === undefined ? {} : { schema }).then(unseal, error => {
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
  { sealKey, live: _, ...options }: JournalFlags,
  change: (store: Store) => Promise<T>,
): Promise<T> {
  // Opening for writing would create a journal in a database without one.
  await withJournal(place, options, async () => {})
  const isFile = !/^postgres(ql)?:/i.test(place)
  const unseal = sealWith(sealKey)
  const opened = await (isFile
    ? openUntrustedJournal(place.replace(/^sqlite:(\/\/)?/, ''))
    : openStore(place, { reconnectMs: 2_000, ...options }))
  const store = unseal(opened)
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
    const journal = await openJoined(store, () => transportToJoin(place, flags))
    try {
      await change(journal.thread(name))
    } finally {
      await journal.close()
    }
  })
}

/** Opens a store with the key in a file, if one is named. */
function sealWith(file: string | undefined): (store: Store) => Store {
  if (file === undefined) return store => store
  const keys = sealKeysOf(readSealKey(file))
  return store => new SealedStore(store, keys)
}

/** It may be a pipe, so that a key need not be on the disk. */
function readSealKey(file: string): Uint8Array {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw fileError(file, failureReason(error))
  }
  if (bytes.length === 32) return bytes
  const text = bytes.toString('latin1').trim()
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  throw new AntiphonError('wrong-option', `${file} is not a key of 32 bytes`, {
    hint: 'a key is 32 raw bytes, 64 hexadecimal digits, or 44 characters of base64',
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
  throw unknownThread(name, await threadNames(store))
}

/** The first names of threads, to find one that is similar. */
export async function threadNames(store: Store): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of readThreads(store)) if (names.push(name) >= namesMax) break
  return names
}

/** `where` is set if only one of a journal and LangGraph checkpoints was searched. */
export function unknownThread(name: string, names: readonly string[], where = ''): AntiphonError {
  const near = nearest(name, names, 3)
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'antiphon threads lists them'
  return new AntiphonError('unknown-thread', `unknown thread "${name}"${where}`, { hint })
}

/** The number of the branch; undefined if none is named. */
export function branchNamed(state: ThreadState, name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const branch = /^\d{1,15}$/.test(name) ? Number(name) : Number.NaN
  assertBranch(state, branch, name)
  return branch
}

const namesMax = 10_000
