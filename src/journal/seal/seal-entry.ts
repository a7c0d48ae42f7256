import type { KeyObject } from 'node:crypto'
import { withSortedKeys } from '../digest/digest.ts'
import type { Entry, EntryData } from '../entry.ts'
import { ciphertextMin, decrypt, encrypt, tagOf, tagOfText } from './seal-keys.ts'
import { sealedError } from './sealed-error.ts'

/** The key of one thread, and the id of the thread that all its ciphertexts are bound to (`sealedIdOf`). */
export interface ThreadKey {
  readonly key: KeyObject
  readonly id: string
}

/** What a sealed entry has in addition to its readable fields. */
interface Sealed {
  /** The other fields as JSON, encrypted; in base64 where a store has only text. */
  readonly sealed?: Uint8Array | string
  /** Its sequence number when it was sealed. */
  readonly sealedSeq?: number
  /** The link of the entry before it; empty for the first one. Entries of earlier versions have none. */
  readonly sealedAfter?: string
  /** The wrapped key of the thread, in base64. Only its first entry has it. */
  readonly sealKey?: string
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** An entry that is serialized, so that later changes of the caller's objects do not reach it. */
export interface EntryDraft {
  /** The fields that stay readable. */
  readonly readable: EntryData
  /** The fields to encrypt, as JSON. */
  readonly secret: string
}

/** Positions, states and times stay readable, since the guards of a store need them. Everything else is encrypted. */
export function draftEntry(entry: EntryData): EntryDraft {
  const fields = entry as unknown as Readonly<Record<string, unknown>>
  const readable: Record<string, unknown> = { kind: entry.kind }
  const secret: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (name === 'kind') continue
    if (readableFields.has(name)) readable[name] = copyOf(fields[name])
    else secret[name] = fields[name]
  }
  // A store needs to know how many calls there are, and which have a result.
  if (entry.kind === 'response-record')
    readable.calls = entry.calls.map(({ answered }) => (answered ? { answered } : {}))
  return { readable: readable as unknown as EntryData, secret: JSON.stringify(secret) }
}

const copyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value

/** The entry as it was. */
export const plainEntry = ({ readable, secret }: EntryDraft): EntryData => ({ ...readable, ...JSON.parse(secret) })

/** The last entry of a thread. The next entry contains its `link`. */
export interface ThreadTip {
  readonly seq: number
  /** The authentication tag of its ciphertext: no other entry has it. */
  readonly link: string
  /** The entry contains the link of the one before it, so all later entries must do so too. */
  readonly isLinked: boolean
}

export function tipOf(entry: EntryData, seq: number): ThreadTip {
  const { sealed, sealedAfter } = entry as Sealed
  if (sealed === undefined) throw unsealed(seq)
  if (sealed.length < ciphertextMin) throw sealedError(`the ciphertext of entry ${seq} was cut off`)
  return { seq, link: linkOf(sealed), isLinked: sealedAfter !== undefined }
}

/** Throws unless the entry was written after this one: entries that were removed cannot come back after others were written in their place. */
export function assertFollows(entry: Entry, tip: ThreadTip | undefined): void {
  const { sealedAfter } = entry as Entry & Sealed
  const follows = sealedAfter === undefined ? !tip?.isLinked : sealedAfter === (tip?.link ?? '')
  if (!follows) throw sealedError(`entry ${entry.seq} was written after a different entry than the one before it now`)
}

/** Where an entry is written to, and how. */
interface SealPlace {
  readonly seq: number
  readonly after: ThreadTip | undefined
  readonly sealKey: string | undefined
  /** Whether the store takes a ciphertext as bytes. */
  readonly asBytes: boolean
}

/**
 * The sealed entry, and its link for the next one. Every entry is sealed, also one with nothing to hide: otherwise its
 * readable fields could be changed, such as an approval.
 */
export function sealEntry(
  { readable, secret }: EntryDraft,
  { key, id }: ThreadKey,
  { seq, after, sealKey, asBytes }: SealPlace,
): { entry: EntryData; tip: ThreadTip } {
  const entry: EntryData & Writable<Sealed> = { ...readable, sealedSeq: seq, sealedAfter: after?.link ?? '' }
  const bytes = encrypt(key, secret, contextOf(id, entry))
  entry.sealed = asBytes ? bytes : bytes.toString('base64')
  if (sealKey) entry.sealKey = sealKey
  return { entry, tip: { seq, link: linkOf(bytes), isLinked: true } }
}

/** Throws if the entry was not written to this thread as it is, or is not where it was written. */
export function openEntry(entry: Entry, { key, id }: ThreadKey): Entry {
  const { sealed, sealKey: _, sealedSeq, sealedAfter: __, ...readable } = entry as Entry & Sealed
  if (sealed === undefined) throw unsealed(entry.seq)
  if (sealedSeq !== entry.seq) throw sealedError(`entry ${entry.seq} was sealed as entry ${sealedSeq}`)
  try {
    const secret = decrypt(key, bytesOf(sealed), contextOf(id, entry)).toString()
    return { ...readable, ...JSON.parse(secret) }
  } catch (cause) {
    throw sealedError(`entry ${entry.seq} cannot be decrypted with the key of its thread`, cause)
  }
}

const linkOf = (sealed: Uint8Array | string): string =>
  typeof sealed === 'string' ? tagOfText(sealed) : tagOf(bytesOf(sealed)).toString('base64')

const bytesOf = (sealed: Uint8Array | string): Buffer =>
  typeof sealed === 'string'
    ? Buffer.from(sealed, 'base64')
    : Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)

const unsealed = (seq: number): Error => sealedError(`entry ${seq} is not sealed, though its thread is`)

export const isSealed = (entry: EntryData): boolean => 'sealed' in entry

export const sealKeyIn = (entry: EntryData): string | undefined => (entry as Sealed).sealKey

/** What a ciphertext is bound to: its thread, and all readable fields of its entry. */
function contextOf(id: string, entry: EntryData): string {
  const fields = entry as unknown as Readonly<Record<string, unknown>>
  // Without a prototype, `__proto__` is a field as any other.
  const bound: Record<string, unknown> = Object.create(null)
  // A database may return the keys in another order.
  for (const name of Object.keys(fields).sort()) if (!unbound.has(name)) bound[name] = withSortedKeys(fields[name])
  return JSON.stringify([id, bound])
}

/** Fields that the store sets, and those that are encrypted or wrapped themselves. */
const unbound: ReadonlySet<string> = new Set(['seq', 'at', 'epoch', 'sealed', 'sealKey'])

const readableFields: ReadonlySet<string> = new Set([
  ...['turn', 'call', 'inputs', 'notes', 'branch', 'from', 'after', 'upTo', 'replaces'],
  ...['when', 'finish', 'status', 'why', 'until', 'approved'],
])
