import { codecs } from '../codecs/index.ts'
import { isRecord } from '../core/conversation.ts'
import { AntiphonError } from '../core/errors.ts'
import type { Entry, EntryKind } from './entry.ts'

/** An entry is missing or cannot be read: another program or a faulty disk has changed the tables. */
export class DamagedEntryError extends Error {
  readonly seq: number

  constructor(seq: number, what: string) {
    super(what)
    this.seq = seq
  }
}

/** The data of an entry. */
export function parseData(text: unknown, seq: number): object {
  let data: unknown
  try {
    data = JSON.parse(String(text))
  } catch {
    throw new DamagedEntryError(seq, 'its data is not JSON')
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  throw new DamagedEntryError(seq, 'its data is not a JSON object')
}

/** Sequence numbers have no gaps. */
export function assertNextSeq(seq: number, after: number): void {
  if (seq !== after + 1) throw new DamagedEntryError(after + 1, `it is missing; the next entry is ${seq}`)
}

/** Entries up to the head of the thread are missing. */
export const missingEntriesError = (after: number, head: number): DamagedEntryError =>
  new DamagedEntryError(after + 1, `it is missing, and so are all entries up to ${head}`)

/** Reads the rows before the first damaged one. Throws if the first row is damaged. */
export function readUntilDamage<Row, Read>(rows: Iterable<Row>, read: (row: Row) => Read): Read[] {
  const done: Read[] = []
  try {
    for (const row of rows) done.push(read(row))
  } catch (error) {
    if (done.length === 0 || !(error instanceof DamagedEntryError)) throw error
  }
  return done
}

export const journalDamagedError = (thread: string, { seq, message }: DamagedEntryError): AntiphonError =>
  new AntiphonError('journal-damaged', `thread ${thread}, entry ${seq}: ${message}`, {
    hint: 'restore the journal from a backup; its other threads can be read',
    thread,
    seq,
  })

type Data = Readonly<Record<string, unknown>>

/** Throws if an entry does not have what its kind needs: another program, or a faulty disk, has changed it. */
export function checkEntry(entry: Entry): void {
  const isValid = Object.hasOwn(checks, entry.kind) ? checks[entry.kind] : undefined
  if (!isValid || isValid(entry as unknown as Data)) return
  throw new AntiphonError('journal-damaged', `entry ${entry.seq} is not a valid ${entry.kind} entry`, {
    hint: 'restore the journal from a backup; its other threads can be read',
    seq: entry.seq,
  })
}

const isPlace = (value: unknown): boolean =>
  isRecord(value) && Number.isSafeInteger(value.step) && Number.isSafeInteger(value.index)
const isRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord)
const isText = (value: unknown): boolean => typeof value === 'string'
const orAbsent = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value)

const namesCall = ({ call }: Data): boolean => isPlace(call)
const hasOutcome = ({ call, outcome }: Data): boolean => isPlace(call) && isRecord(outcome)

/** Only fields whose type the fold does not check itself: it must not throw in the middle of an entry. */
const checks: { readonly [Kind in EntryKind]?: (data: Data) => boolean } = {
  'input-submit': ({ key, format }) => orAbsent(key, isText) && orAbsent(format, isText),
  'input-admit': ({ inputs }) => Array.isArray(inputs),
  'note-tell': ({ notes }) => Array.isArray(notes),
  'response-record': ({ format, messages, calls }) =>
    Object.hasOwn(codecs, String(format)) && Array.isArray(messages) && isRecords(calls),
  'rejection-learn': ({ marks, rejections }) => Array.isArray(marks) && isRecords(rejections),
  'call-start': namesCall,
  'call-park': namesCall,
  'call-edit': namesCall,
  'call-decide': namesCall,
  'call-settle': hasOutcome,
  'call-late': hasOutcome,
  'branch-fork': ({ inputs }) => orAbsent(inputs, Array.isArray),
  'history-compact': ({ summary }) => isText(summary),
}
