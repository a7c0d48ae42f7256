import type { KeyObject } from 'node:crypto'
import { isRecord } from '../../core/conversation.ts'
import type { Entry, EntryData } from '../entry.ts'
import { decrypt, encrypt, sealedError } from './seal-keys.ts'

/** The key of one thread, and the id of the thread that all its ciphertexts are bound to (`sealedIdOf`). */
export interface ThreadKey {
  readonly key: KeyObject
  readonly id: string
}

/** What a sealed entry has in addition to its readable fields. */
interface Sealed {
  /** The other fields as JSON, encrypted, in base64. */
  readonly sealed?: string
  /** Its sequence number when it was sealed. */
  readonly sealedSeq?: number
  /** The wrapped key of the thread, in base64. Only its first entry has it. */
  readonly sealKey?: string
}

/** An entry that is serialized, so that later changes of the caller's objects do not reach it. */
export interface EntryDraft {
  readonly open: EntryData
  /** The fields to encrypt, as JSON. */
  readonly secret: string
}

/** Positions, states and times stay readable, since the guards of a store need them. Everything else is encrypted. */
export function draftEntry(entry: EntryData): EntryDraft {
  const open: Record<string, unknown> = { kind: entry.kind }
  const secret: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(entry)) {
    if (name === 'kind') continue
    if (readable.has(name)) open[name] = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value
    else secret[name] = value
  }
  // A store needs to know how many calls there are, and which have a result.
  if (entry.kind === 'response-record') open.calls = entry.calls.map(({ answered }) => (answered ? { answered } : {}))
  return { open: open as unknown as EntryData, secret: JSON.stringify(secret) }
}

/** The entry as it was. */
export const plainEntry = ({ open, secret }: EntryDraft): EntryData => ({ ...open, ...JSON.parse(secret) })

/** Every entry is sealed, also one with nothing to hide: otherwise its readable fields could be changed, such as an approval. */
export function sealEntry(
  { open, secret }: EntryDraft,
  { key, id }: ThreadKey,
  seq: number,
  sealKey?: string,
): EntryData {
  const placed = { ...open, sealedSeq: seq }
  const sealed = encrypt(key, secret, contextOf(id, placed)).toString('base64')
  const added: Sealed = { sealed, ...(sealKey === undefined ? {} : { sealKey }) }
  return { ...placed, ...added }
}

/** Throws if the entry was not written to this thread as it is, or is not where it was written. */
export function openEntry(entry: Entry, { key, id }: ThreadKey): Entry {
  const { sealed, sealKey: _, sealedSeq, ...open } = entry as Entry & Sealed
  if (sealed === undefined) throw sealedError(`entry ${entry.seq} is not sealed, though its thread is`)
  if (sealedSeq !== entry.seq) throw sealedError(`entry ${entry.seq} was sealed as entry ${sealedSeq}`)
  try {
    const secret = decrypt(key, Buffer.from(sealed, 'base64'), contextOf(id, entry)).toString()
    return { ...open, ...JSON.parse(secret) }
  } catch (cause) {
    throw sealedError(`entry ${entry.seq} cannot be decrypted with the key of its thread`, cause)
  }
}

export const isSealed = (entry: EntryData): boolean => 'sealed' in entry

export const sealKeyIn = (entry: EntryData): string | undefined => (entry as Sealed).sealKey

/** What a ciphertext is bound to: its thread, and all readable fields of its entry. A database may order the keys of objects otherwise. */
function contextOf(id: string, entry: EntryData): string {
  const { seq: _, at: __, epoch: ___, sealed: ____, sealKey: _____, ...open } = entry as Partial<Entry> & Sealed
  return JSON.stringify([id, open], (_, value: unknown) => (isRecord(value) ? sortedByKey(value) : value))
}

const sortedByKey = (record: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

const readable: ReadonlySet<string> = new Set([
  ...['turn', 'call', 'inputs', 'notes', 'branch', 'from', 'after', 'upTo', 'replaces'],
  ...['when', 'finish', 'status', 'why', 'until', 'approved'],
])
