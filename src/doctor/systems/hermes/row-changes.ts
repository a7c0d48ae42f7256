import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { recordsIn } from '../../arrange.ts'
import type { ExaminedRecords } from '../../examine-entries.ts'
import { printLike } from '../../files/print-like.ts'
import type { RecordFields, RecordFormat } from '../../record-format.ts'
import type { MessageRow } from './record-format.ts'

/** What a repair does to the rows of a session. */
export interface RowChanges {
  /** The rows that are sent no more. They stay in the table, as after a rewind. */
  readonly inactive: readonly number[]
  /** The rows that follow those that stay: copies of rows, perhaps with other calls, and new ones. */
  readonly added: readonly { readonly row: MessageRow; readonly isNew: boolean }[]
  readonly calls: number
}

/**
 * The order of a session is that of ids, which are global: nothing fits between two rows. So from the first change on
 * rows become inactive, and are added again in the right order, as the program itself does it after a compression.
 */
export function rowChanges(
  rows: readonly MessageRow[],
  { places }: Pick<ExaminedRecords, 'places'>,
  format: RecordFormat<MessageRow>,
): RowChanges {
  const stay = new Set<number>()
  const added: { row: MessageRow; isNew: boolean }[] = []
  let last = -1
  let calls = 0
  for (const line of recordsIn(places, rows.length)) {
    const row = valueAt(rows, line.record)
    if (line.kind === 'kept' && added.length === 0 && line.record > last) {
      stay.add(line.record)
      last = line.record
      calls += row.calls.length
    } else if (line.kind === 'made') added.push({ row: format.answer(line.call, row, line.result), isNew: true })
    else {
      const now = line.kind === 'kept' ? row : format.write(row, line.parts, line.copy)
      added.push({ row: now, isNew: false })
      calls += (now.kept ?? now.calls).length
    }
  }
  const inactive = rows.filter((_, record) => !stay.has(record)).map(({ id }) => id)
  return { inactive, added, calls }
}

export function writeChanges(database: DatabaseSync, session: string, { inactive, added, calls }: RowChanges): void {
  const hide = database.prepare('update messages set active = 0, compacted = 0 where id = ?')
  for (const id of inactive) hide.run(id)
  const names = database
    .prepare('pragma table_info(messages)')
    .all()
    .map(({ name }) => String(name))
  const copied = names.filter(name => !['id', 'active', 'compacted', 'display_order'].includes(name))
  const list = (columns: readonly string[]): string => columns.map(name => `"${name}"`).join(', ')
  const copy = database.prepare(
    `insert into messages (${list(copied)}, active, compacted) select ${list(copied)}, 1, 0 from messages where id = ?`,
  )
  const changed = copied.filter(name => !['tool_calls', 'tool_call_id', 'display_identity'].includes(name))
  const copyChanged = database.prepare(
    `insert into messages (${list(changed)}, tool_calls, tool_call_id, active, compacted)
     select ${list(changed)}, ?, ?, 1, 0 from messages where id = ?`,
  )
  const callsOf = database.prepare('select tool_calls, tool_call_id from messages where id = ?')
  const insert = database.prepare(
    `insert into messages (session_id, role, content, tool_call_id, tool_name, timestamp, active, compacted)
     select session_id, ?, ?, ?, ?, timestamp, 1, 0 from messages where id = ?`,
  )
  const isIndexed =
    ['display_identity', 'display_order'].every(name => names.includes(name)) && isWorthIndex(database, added.length)
  if (isIndexed) database.exec(`create index ${index} on messages (session_id, display_identity, display_order)`)
  for (const { row, isNew } of added) {
    const { id, role, content, tool_call_id, tool_name, kept } = row
    if (isNew) insert.run(role, content, tool_call_id, tool_name, id)
    else {
      const before = callsOf.get(id)
      const text = kept ? callsText(before?.tool_calls, kept) : (before?.tool_calls ?? null)
      if (text === before?.tool_calls && tool_call_id === (before?.tool_call_id ?? null)) copy.run(id)
      else copyChanged.run(text as string | null, tool_call_id, id)
    }
  }
  if (isIndexed) database.exec(`drop index ${index}`)
  database
    .prepare(
      `update sessions set message_count = (select count(*) from messages where session_id = ?1 and active = 1),
         tool_call_count = ?2 where id = ?1`,
    )
    .run(session, calls)
}

/**
 * For each new row, a trigger of the program looks through all rows of the session that have the same identity. For many
 * rows an index of them is made meanwhile, unless that takes longer.
 */
function isWorthIndex(database: DatabaseSync, added: number): boolean {
  const [row] = database.prepare('select max(id) as last from messages').all()
  return added * added > Number(row?.last ?? 0)
}

const index = 'antiphon_display_identity'

/** The column of a row with these of its calls. The id that results name is replaced. */
function callsText(text: unknown, kept: NonNullable<MessageRow['kept']>): string | null {
  if (kept.length === 0) return null
  const value = parseVerbatim(String(text)) as unknown[]
  const calls = value.filter(isRecord)
  const now = kept.map(({ raw, id }) => {
    const call: RecordFields = valueAt(calls, raw)
    const key = call.call_id ? 'call_id' : 'id'
    return String(call[key] ?? '') === id ? call : { ...call, [key]: id }
  })
  return printLike({ text: String(text), value }, now)
}
