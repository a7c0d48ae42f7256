import type { DatabaseSync } from 'node:sqlite'
import { valueAt } from '../../../core/invariant.ts'
import type { HealedRow } from './healed-rows.ts'
import type { SessionRow } from './rows.ts'
import type { StoredSession } from './tables.ts'

/**
 * Writes the rows of a session whose order is that of their ids. New ids are negative until all of them are free. A
 * moved or new row takes the time of the previous row, so that an order by time is the same.
 */
export function writePlain(
  database: DatabaseSync,
  { layout: { messages }, session_id }: StoredSession,
  rows: readonly SessionRow[],
  healed: readonly HealedRow[],
): void {
  const ids = newIds(database, messages, rows, healed)
  const kept = new Set(healed.map(({ row }) => row))
  const remove = database.prepare(`DELETE FROM ${messages} WHERE id = ?`)
  for (const [index, { id }] of rows.entries()) if (!kept.has(index)) remove.run(id)
  const insert = database.prepare(
    `INSERT INTO ${messages} (id, session_id, message_data, created_at) VALUES (?, ?, ?, ?)`,
  )
  const update = database.prepare(`UPDATE ${messages} SET id = ?, message_data = ?, created_at = ? WHERE id = ?`)
  let time = healed.find(({ stays }) => stays)?.model ?? 0
  for (const [index, { row, model, message_data, stays }] of healed.entries()) {
    if (stays) time = model
    const before = row === undefined ? undefined : rows[row]
    const id = valueAt(ids, index)
    const { created_at } = rows[time] as { created_at: string | number | null }
    if (!before) insert.run(-id, session_id, message_data, created_at)
    else if (before.id !== id || before.message_data !== message_data || !stays)
      update.run(-id, message_data, created_at, before.id)
  }
  database.prepare(`UPDATE ${messages} SET id = -id WHERE session_id = ? AND id < 0`).run(session_id)
}

/**
 * Increasing ids. A row that stays keeps its id as long as the rows before it find free ones; from there on the ids of
 * the session are assigned again, and further ones after all of the table.
 */
function newIds(
  database: DatabaseSync,
  messages: string,
  rows: readonly SessionRow[],
  healed: readonly HealedRow[],
): number[] {
  const own = new Set(healed.flatMap(({ stays, model }) => (stays ? [valueAt(rows, model).id] : [])))
  const freed = new Set(rows.map(({ id }) => id).filter(id => !own.has(id)))
  const isTaken = database.prepare(`SELECT 1 FROM ${messages} WHERE id = ?`)
  const isFree = (id: number): boolean => freed.has(id) || isTaken.get(id) === undefined
  const ids: number[] = []
  for (let at = 0; at < healed.length; ) {
    let next = at
    let standing = healed[next]
    while (standing && !standing.stays) standing = healed[++next]
    const last = ids.at(-1) ?? 0
    const end = standing ? valueAt(rows, standing.model).id : 0
    const between = end > last ? freeBetween(last + 1, end, next - at, isFree) : undefined
    if (!between) return [...ids, ...dealtOut(database, messages, rows, healed.length - at, last)]
    for (const id of between) ids.push(id)
    ids.push(end)
    at = next + 1
  }
  return ids
}

/** This many free ids before `end`, the nearest to it; undefined if there are not enough. */
function freeBetween(start: number, end: number, count: number, isFree: (id: number) => boolean): number[] | undefined {
  const found: number[] = []
  for (let id = end - 1; id >= start && found.length < count && end - id <= reach; id--) if (isFree(id)) found.push(id)
  return found.length === count ? found.reverse() : undefined
}

/** How far to search for a free id. */
const reach = 1_000

function dealtOut(
  database: DatabaseSync,
  messages: string,
  rows: readonly SessionRow[],
  count: number,
  last: number,
): number[] {
  const own = rows
    .map(({ id }) => id)
    .filter(id => id > last)
    .sort((a, b) => a - b)
  const [highest] = database.prepare(`SELECT coalesce(max(id), 0) AS id FROM ${messages}`).all() as { id: number }[]
  return Array.from({ length: count }, (_, index) => own[index] ?? (highest?.id ?? 0) + index - own.length + 1)
}
