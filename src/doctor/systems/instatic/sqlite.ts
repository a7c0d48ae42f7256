import type { DatabaseSync } from 'node:sqlite'
import { fileError } from '../../files/file-error.ts'
import type { AssertUnused } from '../../files/swap-file.ts'
import { rowsWith } from '../../rows-with.ts'
import { openDatabase } from '../../sqlite.ts'
import type { ConversationStore, StoredConversation } from '../../system.ts'
import type { Changes } from './changes.ts'
import { examineChatRows } from './examine.ts'
import { areSameRows, type ChatMessageRow, type ChatRow, madeColumns } from './rows.ts'

/** Opens the chats of an SQLite file. */
export function openSqliteChats(path: string): ConversationStore {
  const database = openDatabase(path, ['ai_conversations', 'ai_messages', 'ai_provider_credentials'])
  const conversation = (chat: ChatRow): StoredConversation => ({
    id: chat.id,
    title: chat.title,
    async examine() {
      const rows = rowsOf(database.look, chat.id)
      const { examination, changes } = examineChatRows(chat, rows)
      if (!changes) return examination
      const apply = async (assertUnused: AssertUnused | undefined): Promise<void> =>
        database.change(tables => {
          if (!areSameRows(rowsOf(tables, chat.id), rows))
            throw fileError(
              path,
              `chat ${chat.id} changed during the repair, so nothing was written`,
              'close its program and try again',
            )
          write(tables, chat.id, changes)
        }, assertUnused)
      return { ...examination, storeRepair: { files: database.files, isShared: true, apply } }
    },
  })
  return {
    *conversations() {
      for (const chat of chatsIn(database.look)) yield conversation(chat)
    },
    close: () => database.close(),
  }
}

/** All chats except deleted ones. A reduced database may lack the table of their providers. */
function chatsIn(database: DatabaseSync): ChatRow[] {
  const found = database.prepare("select 1 from sqlite_schema where name = 'ai_provider_credentials'").get()
  const credentials = found ? database.prepare('select id, provider_id from ai_provider_credentials').all() : []
  const providers = new Map(credentials.map(({ id, provider_id }) => [id, provider_id]))
  const select = `select id, title, ${found ? 'credential_id' : 'null as credential_id'}, updated_at from ai_conversations
    where deleted_at is null order by created_at, id`
  return database
    .prepare(select)
    .all()
    .map(({ credential_id, ...chat }) => ({
      ...chat,
      provider: providers.get(credential_id) ?? null,
    })) as unknown as ChatRow[]
}

function rowsOf(database: DatabaseSync, chat: string): ChatMessageRow[] {
  const { sql, value } = rowsWith(database, 'ai_messages', 'conversation_id', chat)
  const rows = database.prepare(
    `select id, position, cast(role as text) as role, cast(content_json as text) as content_json,
       cast(tool_call_id as text) as tool_call_id, cast(tool_name as text) as tool_name, created_at
     from ai_messages where ${sql} order by position, rowid`,
  )
  return rows.all(value) as unknown as ChatMessageRow[]
}

function write(database: DatabaseSync, chat: string, { removed, moved, rewritten, added, beyond }: Changes): void {
  const remove = database.prepare('delete from ai_messages where id = ?')
  for (const id of removed) remove.run(id)
  const move = database.prepare('update ai_messages set position = ? where id = ?')
  for (const [index, { id }] of moved.entries()) move.run(beyond + index, id)
  for (const { id, position } of moved) move.run(position, id)
  const rewrite = database.prepare('update ai_messages set content_json = ?, tool_call_id = ? where id = ?')
  for (const { id, content_json, tool_call_id } of rewritten) rewrite.run(content_json, tool_call_id, id)
  const places = madeColumns.map(() => '?').join(', ')
  const add = database.prepare(`insert into ai_messages (${madeColumns.join(', ')}) values (${places})`)
  for (const row of added) add.run(...madeColumns.map(name => (name === 'conversation_id' ? chat : row[name])))
}
