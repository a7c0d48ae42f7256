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
  if (bytesIn(database, session) > bytesMax) throw unreadable(place, 'it has more than 256 MB')
  const { messages, order } = layout
  if (branch === undefined) {
    const rows = database.prepare(
      `SELECT id, message_data, created_at FROM ${messages} WHERE session_id = ? ORDER BY ${order}`,
    )
    return rows.all(session_id) as unknown as Row[]
  }
  const rows = database.prepare(`SELECT m.id, m.message_data, m.created_at, s.id AS seat_id, s.sequence_number
    FROM ${messages} m JOIN message_structure s ON m.id = s.message_id
    WHERE m.session_id = ? AND s.branch_id = ? ORDER BY s.sequence_number, s.id`)
  return rows.all(session_id, branch).map(row => {
    const { seat_id, sequence_number, ...message } = row as unknown as Row & {
      seat_id: number
      sequence_number: number
    }
    return { ...message, seat: { id: seat_id, sequence_number } }
  })
}

/** How much the rows hold. A message may be named by several rows of a branch, and counts as often. */
function bytesIn(database: DatabaseSync, { layout, session_id, branch }: Session): number {
  const { messages } = layout
  const own = database.prepare(`SELECT id, length(message_data) AS length FROM ${messages} WHERE session_id = ?`)
  const lengths = new Map(own.all(session_id).map(({ id, length }) => [id, Number(length)]))
  const seats = `SELECT message_id AS id FROM message_structure WHERE session_id = ? AND branch_id = ?`
  const ids =
    branch === undefined
      ? lengths.keys()
      : database
          .prepare(seats)
          .all(session_id, branch)
          .map(({ id }) => id)
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

function parsed(text: unknown): unknown {
  for (const written of [String(text), withoutNonNumbers(String(text))]) {
    try {
      return parseExactly(written)
    } catch {}
  }
  return undefined
}

/** Python writes numbers that are none, and reads them; in JSON there are no words for them. */
const withoutNonNumbers = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g, token => (token.startsWith('"') ? token : 'null'))
