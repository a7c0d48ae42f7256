import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { unreadable } from '../../files/file-error.ts'
import type { Session } from './tables.ts'

/** A row of a session as it stands. */
export interface Row {
  readonly id: number
  readonly message_data: string
  readonly created_at: unknown
  /** Where it stands in its branch, if it has branches. */
  readonly seat?: Seat
}

/** A row of `message_structure`. */
export interface Seat {
  readonly id: number
  readonly sequence_number: number
}

/** The rows of a session in the order in which the SDK reads them. Throws if they are too much to be held at once. */
export function rowsOf(database: DatabaseSync, session: Session, place: string): Row[] {
  const { layout, session_id, branch } = session
  const seats = branch === undefined ? undefined : seatsIn(database, layout.messages, session_id, branch)
  if (bytesIn(database, session, seats) > bytesMax) throw unreadable(place, 'it has more than 256 MB')
  const { messages, order } = layout
  const statement = `SELECT id, message_data, created_at FROM ${messages} WHERE session_id = ? ORDER BY ${order}`
  const rows = database.prepare(statement).all(session_id) as unknown as Row[]
  if (!seats) return rows
  const byId = new Map(rows.map(row => [row.id, row]))
  return seats.flatMap(({ message_id, ...seat }) => {
    const row = byId.get(message_id)
    return row ? [{ ...row, seat }] : []
  })
}

/** The places of a branch. They are put together with their messages here: statistics in the file can make a join take for ever. */
function seatsIn(
  database: DatabaseSync,
  messages: string,
  session: string,
  branch: string,
): (Seat & { readonly message_id: number })[] {
  const seats = database.prepare(`SELECT id, message_id, sequence_number FROM message_structure
    WHERE branch_id = ?2 AND message_id IN (SELECT id FROM ${messages} WHERE session_id = ?1)
    ORDER BY sequence_number, id`)
  return seats.all(session, branch) as unknown as (Seat & { message_id: number })[]
}

/** How many bytes the rows hold; the length of a text would end at a NUL. A message may be named by several rows of a branch, and counts as often. */
function bytesIn(
  database: DatabaseSync,
  { layout, session_id }: Session,
  seats: readonly { readonly message_id: number }[] | undefined,
): number {
  const { messages } = layout
  const own = database.prepare(
    `SELECT id, length(CAST(message_data AS BLOB)) AS length FROM ${messages} WHERE session_id = ?`,
  )
  const lengths = new Map(own.all(session_id).map(({ id, length }) => [id, Number(length)]))
  const ids = seats ? seats.map(({ message_id }) => message_id) : lengths.keys()
  let bytes = 0
  for (const id of ids) bytes += lengths.get(id as never) ?? 0
  return bytes
}

const bytesMax = 256 * 1024 * 1024

/** The item of each row; undefined where it has none that could be read, which the SDK passes over. */
export function itemsOf(rows: readonly Row[], place: string): (object | undefined)[] {
  return rows.map(({ message_data }) => {
    const item = parsed(message_data)
    if (isEncrypted(item))
      throw unreadable(place, 'its items are encrypted (EncryptedSession), so nothing can be said of them')
    return isRecord(item) ? item : undefined
  })
}

const isEncrypted = (item: unknown): boolean => isRecord(item) && item.__enc__ === 1 && 'payload' in item

function parsed(data: unknown): unknown {
  const text = String(data)
  try {
    return parseExactly(text)
  } catch {}
  try {
    return parseExactly(withoutNonNumbers(text))
  } catch {
    return undefined
  }
}

/** Python writes numbers that are none, and reads them; in JSON there are no words for them. */
function withoutNonNumbers(text: string): string {
  let written = ''
  let end = 0
  for (;;) {
    const start = text.indexOf('"', end)
    written += text.slice(end, start < 0 ? text.length : start).replace(/-?Infinity|NaN/g, 'null')
    if (start < 0) return written
    end = stringEnd(text, start)
    written += text.slice(start, end)
  }
}

/** Where the string ends that starts at a quote; the end of the text if it is never closed. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote
    while (text[slash - 1] === '\\') slash--
    if ((quote - slash) % 2 === 0) return quote + 1
  }
  return text.length
}
