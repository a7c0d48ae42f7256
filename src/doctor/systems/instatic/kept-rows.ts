import { withPassword } from '../../address.ts'
import { fileError } from '../../files/file-error.ts'
import { type Connection, connect, inTransaction } from '../../postgres/connection.ts'
import { chatRows, chatTables, rowOf } from './postgres-rows.ts'
import { areSameRows, type ChatMessageRow } from './rows.ts'

/** What a backup holds of a chat in PostgreSQL. */
interface Kept {
  readonly chat: string
  /** Its rows with all columns, as the server writes them. */
  readonly before: readonly Record<string, string | null>[]
  /** The rows after the repair: restoring is possible only from these. */
  readonly after: readonly ChatMessageRow[]
}

export async function keepRows(
  connection: Connection,
  chat: string,
  after: readonly ChatMessageRow[],
): Promise<Uint8Array> {
  const kept: Kept = { chat, before: await wholeRows(connection, chat), after }
  return Buffer.from(JSON.stringify(kept))
}

/**
 * Restores the rows of a chat as they were before its repair, unless the chat was continued. The present rows are
 * backed up.
 */
export async function restoreRows(
  data: Uint8Array,
  address: string,
  keep: (present: Uint8Array) => void,
): Promise<void> {
  const { chat, before, after } = JSON.parse(Buffer.from(data).toString('utf8')) as Kept
  const connection = await connect(withPassword(address, process.env.DATABASE_URL), chatTables)
  try {
    await inTransaction(connection, ['ai_messages'], async () => {
      const standing = await wholeRows(connection, chat)
      if (isEqual(standing, before)) return
      if (!areSameRows(await chatRows(connection, chat), after))
        throw fileError(
          connection.place,
          `chat ${chat} has new messages since the repair, so nothing was restored`,
          'the earlier rows are in the file "data" of the backup',
        )
      const present: Kept = { chat, before: standing, after: before.map(rowOf) }
      keep(Buffer.from(JSON.stringify(present)))
      await connection.query('delete from ai_messages where conversation_id = $1', [chat])
      const insert = 'insert into ai_messages select * from json_populate_recordset(null::ai_messages, $1)'
      await connection.query(insert, [JSON.stringify(before)])
      if (!isEqual(await wholeRows(connection, chat), before))
        throw fileError(
          connection.place,
          `chat ${chat}: the rows read back differ from the backup, so nothing was restored`,
          'check the triggers of ai_messages',
        )
    })
  } finally {
    await connection.end()
  }
}

const wholeRows = ({ query }: Connection, chat: string): Promise<Record<string, string | null>[]> =>
  query('select * from ai_messages where conversation_id = $1 order by position', [chat])

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
