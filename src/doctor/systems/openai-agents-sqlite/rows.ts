import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { endOfString } from '../../../core/json/json-spans.ts'
import { fileError } from '../../files/file-error.ts'
import type { StoredSession } from './tables.ts'

/** A row of a session as it is stored. */
export interface SessionRow {
  readonly id: number
  readonly message_data: string
  readonly created_at: unknown
  /** Its place in its branch, if there are branches. */
  readonly branchPlace?: BranchPlace
}

/** A row of `message_structure`. */
export interface BranchPlace {
  readonly id: number
  readonly sequence_number: number
}

/** The rows of a session in the order in which the SDK reads them. Throws if they are too large to be held at once. */
export function sessionRows(database: DatabaseSync, session: StoredSession, place: string): SessionRow[] {
  const { layout, session_id, branch } = session
  const branchPlaces = branch === undefined ? undefined : branchPlacesIn(database, layout.messages, session_id, branch)
  if (bytesIn(database, session, branchPlaces) > bytesMax) throw fileError(place, 'it has more than 256 MB')
  const { messages, order } = layout
  const statement = `SELECT id, message_data, created_at FROM ${messages} WHERE session_id = ? ORDER BY ${order}`
  const rows = database.prepare(statement).all(session_id) as unknown as SessionRow[]
  if (!branchPlaces) return rows
  const byId = new Map(rows.map(row => [row.id, row]))
  return branchPlaces.flatMap(({ message_id, ...branchPlace }) => {
    const row = byId.get(message_id)
    return row ? [{ ...row, branchPlace }] : []
  })
}

/**
 * The places of a branch. They are joined with their messages here: statistics in the file can make a join in SQL take
 * forever.
 */
function branchPlacesIn(
  database: DatabaseSync,
  messages: string,
  session: string,
  branch: string,
): (BranchPlace & { readonly message_id: number })[] {
  const branchPlaces = database.prepare(`SELECT id, message_id, sequence_number FROM message_structure
    WHERE branch_id = ?2 AND message_id IN (SELECT id FROM ${messages} WHERE session_id = ?1)
    ORDER BY sequence_number, id`)
  return branchPlaces.all(session, branch) as unknown as (BranchPlace & { message_id: number })[]
}

/**
 * The number of bytes in the rows; the length of a text would end at a NUL. A message may be named by several rows of a
 * branch, and counts as often.
 */
function bytesIn(
  database: DatabaseSync,
  { layout, session_id }: StoredSession,
  branchPlaces: readonly { readonly message_id: number }[] | undefined,
): number {
  const { messages } = layout
  const own = database.prepare(
    `SELECT id, length(CAST(message_data AS BLOB)) AS length FROM ${messages} WHERE session_id = ?`,
  )
  const lengths = new Map(own.all(session_id).map(({ id, length }) => [id, Number(length)]))
  const ids = branchPlaces ? branchPlaces.map(({ message_id }) => message_id) : lengths.keys()
  let bytes = 0
  for (const id of ids) bytes += lengths.get(id as never) ?? 0
  return bytes
}

const bytesMax = 256 * 1024 * 1024

/** The item of each row; undefined if it has no readable one, which the SDK skips. */
export function itemsInRows(rows: readonly SessionRow[], place: string): (object | undefined)[] {
  return rows.map(({ message_data }) => {
    const item = parsed(message_data)
    if (isEncrypted(item))
      throw fileError(place, 'its items are encrypted (EncryptedSession), so they cannot be examined')
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

/** Python writes and reads NaN and infinities, for which JSON has no spelling. */
function withoutNonNumbers(text: string): string {
  let written = ''
  let end = 0
  for (;;) {
    const start = text.indexOf('"', end)
    written += text.slice(end, start < 0 ? text.length : start).replace(/-?Infinity|NaN/g, 'null')
    if (start < 0) return written
    end = endOfString(text, start)
    written += text.slice(start, end)
  }
}
