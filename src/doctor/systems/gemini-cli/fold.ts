import { isRecord } from '../../../core/conversation.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { rawLines } from '../../files/raw-lines.ts'
import { recordsInLine } from '../../linked/records-in-line.ts'
import type { RecordFields } from '../../record-format.ts'

/** A message of a session, and where it is written. */
export interface Placed<Value> {
  readonly id: string
  readonly at: string
  readonly value: Value
}

/** A session as its program reads it. */
export interface Folded<Value> {
  /** By their ids, each at its first place with its last content. */
  readonly messages: readonly Placed<Value>[]
  /** When the program says that it wrote last. */
  readonly lastUpdated?: unknown
  /** How the program sums up the session. */
  readonly summary?: unknown
  /** Lines that are not JSON, from 0. */
  readonly bad: readonly number[]
  /** Those with whole records, which the program does not read: they are in `messages`. */
  readonly joined: readonly number[]
  /** The last line was cut off while it was written. */
  readonly isTorn: boolean
  readonly endsLine: boolean
}

/** Reads the records of a file in order. `keep` returns what is needed of a message, so that large ones are not held. */
export function foldSession<Value>(
  path: string,
  keep: (message: RecordFields) => Value,
  parse: (text: string) => unknown = JSON.parse,
): Folded<Value> {
  const messages = new Map<string, Placed<Value>>()
  /** The ids of `messages` in order. */
  const order: string[] = []
  const places = new Map<string, number>()
  let lastUpdated: unknown
  let summary: unknown
  const bad: number[] = []
  let joined: number[] = []
  let isTorn = false
  let endsLine = true
  const put = (message: unknown, at: string): void => {
    if (!isMessage(message)) return
    const { id } = message
    if (!messages.has(id)) places.set(id, order.push(id) - 1)
    messages.set(id, { id, at, value: keep(message) })
  }
  /** Removes a message and all after it; an id that is not known removes everything. */
  const rewind = (id: string): void => {
    const from = messages.has(id) ? (places.get(id) ?? 0) : 0
    for (const removed of order.splice(from)) messages.delete(removed)
  }
  const putAll = (list: unknown, at: string): void => {
    if (Array.isArray(list)) for (const [index, message] of list.entries()) put(message, `${at}, message ${index + 1}`)
  }
  const apply = (record: unknown, line: number): void => {
    const at = `line ${line + 1}`
    if (!isRecord(record)) return
    if (typeof record.$rewindTo === 'string') rewind(record.$rewindTo)
    else if (isMessage(record)) put(record, at)
    else if (isRecord(record.$set)) {
      const { messages: list, lastUpdated: time = lastUpdated } = record.$set
      summary = record.$set.summary ?? summary
      if (Array.isArray(list)) {
        messages.clear()
        order.length = 0
        joined = []
        putAll(list, at)
      }
      lastUpdated = time
    } else if (isHeader(record)) {
      putAll(record.messages, at)
      lastUpdated = record.lastUpdated ?? lastUpdated
      summary = record.summary ?? summary
    }
  }
  let line = 0
  for (const { bytes, ending } of rawLines(path)) {
    endsLine = ending !== ''
    const records = isBlank(bytes) ? [] : recordsInLine(bytes, isOfProgram)
    const [only] = records
    if (only && records.length === 1) apply(parse(bytes.toString()), line)
    else if (!isBlank(bytes)) {
      bad.push(line)
      isTorn = !endsLine
      const whole = records.filter(({ value }) => value !== undefined)
      if (whole.some(({ value }) => changesMessages(value))) joined.push(line)
      for (const { start, end } of whole) apply(parse(bytes.toString('utf8', start, end)), line)
    }
    line++
  }
  return { messages: [...messages.values()], lastUpdated, summary, bad, joined, isTorn, endsLine }
}

/** The whole messages of a session; numbers are serialised as they were written. */
export const wholeMessages = (path: string): ReadonlyMap<string, RecordFields> =>
  new Map(foldSession(path, message => message, parseVerbatim).messages.map(({ id, value }) => [id, value]))

const isMessage = (value: unknown): value is RecordFields & { readonly id: string } =>
  isRecord(value) && typeof value.id === 'string'

/** A record that begins a session, and each part of it after a restart. */
export const isHeader = (value: unknown): value is RecordFields =>
  isRecord(value) && typeof value.sessionId === 'string' && typeof value.projectHash === 'string'

const isOfProgram = (value: unknown): boolean =>
  isRecord(value) && (typeof value.$rewindTo === 'string' || isRecord(value.$set) || isHeader(value) || isTyped(value))

const isTyped = ({ id, type }: RecordFields): boolean => typeof id === 'string' && typeof type === 'string'

const changesMessages = (value: unknown): boolean =>
  isRecord(value) && (isMessage(value) || typeof value.$rewindTo === 'string' || hasList(value.$set) || hasList(value))

const hasList = (value: unknown): boolean => isRecord(value) && Array.isArray(value.messages)

const isBlank = (bytes: Buffer): boolean => bytes.every(byte => byte === 0x20 || byte === 0x09)
