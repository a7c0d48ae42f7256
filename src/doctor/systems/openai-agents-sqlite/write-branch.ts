import type { DatabaseSync } from 'node:sqlite'
import { valueAt } from '../../../core/invariant.ts'
import type { HealedRow } from './healed-rows.ts'
import type { SessionRow } from './rows.ts'
import type { StoredSession } from './tables.ts'

/**
 * Writes a branch of an `AdvancedSQLiteSession`. Its order is in `message_structure`; the messages themselves are
 * shared by the branches, so one is deleted only when no branch has it any more.
 */
export function writeBranch(
  database: DatabaseSync,
  { layout: { messages }, session_id }: StoredSession,
  rows: readonly SessionRow[],
  healed: readonly HealedRow[],
): void {
  const kept = new Set(healed.map(({ row }) => row))
  for (const [index, { id, branchPlace }] of rows.entries()) {
    if (kept.has(index)) continue
    database.prepare('DELETE FROM message_structure WHERE id = ?').run(branchPlace?.id ?? 0)
    database
      .prepare(`DELETE FROM ${messages} WHERE id = ?1 AND ?1 NOT IN (SELECT message_id FROM message_structure)`)
      .run(id)
  }
  const rewrite = database.prepare(`UPDATE ${messages} SET message_data = ? WHERE id = ?`)
  const renumber = database.prepare('UPDATE message_structure SET sequence_number = ? WHERE id = ?')
  let last = 0
  for (const { row, model, message_data, stays } of healed) {
    const before = row === undefined ? undefined : rows[row]
    const number = before?.branchPlace?.sequence_number ?? 0
    const place = stays && number > last ? number : last + 1
    last = place
    if (!before) add(database, messages, session_id, valueAt(rows, model), message_data, place)
    else {
      if (before.message_data !== message_data) rewrite.run(message_data, before.id)
      if (number !== place) renumber.run(place, before.branchPlace?.id ?? 0)
    }
  }
}

/** Adds a result, in the turn and at the time of its call. */
function add(
  database: DatabaseSync,
  messages: string,
  session: string,
  model: SessionRow,
  message_data: string,
  place: number,
): void {
  const created = model.created_at as string | number | null
  const { lastInsertRowid: id } = database
    .prepare(`INSERT INTO ${messages} (session_id, message_data, created_at) VALUES (?, ?, ?)`)
    .run(session, message_data, created)
  database.prepare(likeCall).run(id, String(JSON.parse(message_data).type), place, model.branchPlace?.id ?? 0)
}

const likeCall = `INSERT INTO message_structure (session_id, message_id, branch_id, message_type, sequence_number,
    user_turn_number, branch_turn_number, tool_name, created_at)
  SELECT session_id, ?1, branch_id, ?2, ?3, user_turn_number, branch_turn_number, NULL, created_at
  FROM message_structure WHERE id = ?4`
