import type { Connection } from '../../postgres/connection.ts'
import type { Changes } from './changes.ts'
import { type ChatMessageRow, madeColumns } from './rows.ts'

export const chatTables = {
  tables: ['ai_conversations', 'ai_messages', 'ai_provider_credentials'],
  missing: 'it has no chats of Instatic',
} as const

/** The rows of a chat in order. */
export async function chatRows({ query }: Pick<Connection, 'query'>, chat: string): Promise<ChatMessageRow[]> {
  const rows = await query(
    `select ${columns.join(', ')} from ai_messages where conversation_id = $1 order by position`,
    [chat],
  )
  return rows.map(rowOf)
}

const columns = ['id', 'position', 'role', 'content_json', 'tool_call_id', 'tool_name', 'created_at'] as const

/** The columns of a row that count; there may be more. */
export function rowOf(row: Readonly<Record<string, string | null>>): ChatMessageRow {
  const known = Object.fromEntries(columns.map(name => [name, row[name]]))
  return { ...known, position: Number(row.position) } as unknown as ChatMessageRow
}

/**
 * Writes the changes of a chat's rows, inside a transaction. Each statement changes all rows, because the table is
 * locked meanwhile.
 */
export async function writeRowChanges({ query }: Connection, chat: string, changes: Changes): Promise<void> {
  const { removed, moved, rewritten, added, beyond } = changes
  await query('delete from ai_messages where id = any($1::text[])', [removed])
  const ids = moved.map(({ id }) => id)
  for (const positions of [moved.map((_, index) => beyond + index), moved.map(({ position }) => position)])
    await query(
      `update ai_messages m set position = n.position
       from unnest($1::text[], $2::int[]) as n (id, position) where m.id = n.id`,
      [ids, positions],
    )
  await query(
    `update ai_messages m set content_json = n.content_json, tool_call_id = n.tool_call_id
     from unnest($1::text[], $2::text[], $3::text[]) as n (id, content_json, tool_call_id) where m.id = n.id`,
    (['id', 'content_json', 'tool_call_id'] as const).map(name => rewritten.map(row => row[name])),
  )
  const made = added.map(row => ({ ...row, conversation_id: chat }))
  await query(
    `insert into ai_messages (${madeColumns.join(', ')}) select ${madeColumns.join(', ')}
     from json_populate_recordset(null::ai_messages, $1)`,
    [JSON.stringify(made)],
  )
}
