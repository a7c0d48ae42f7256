import { present } from '../../../core/invariant.ts'
import { fileError } from '../../files/file-error.ts'
import { type Connection, connect, inTransaction, otherProgram } from '../../postgres/connection.ts'
import type { ConversationStore, StoredConversation, StoreOpenOptions } from '../../system.ts'
import { examineChatRows } from './examine.ts'
import { keepRows } from './kept-rows.ts'
import { chatRows, chatTables, writeRowChanges } from './postgres-rows.ts'
import { areSameRows, type ChatMessageRow, type ChatRow, isFresh } from './rows.ts'

/** Opens the chats of a PostgreSQL database. */
export async function openPostgresChats(address: string, { now }: StoreOpenOptions): Promise<ConversationStore> {
  const connection = await connect(address, chatTables)
  const conversation = (chat: ChatRow, aheadMs: number): StoredConversation => ({
    id: chat.id,
    title: chat.title,
    async examine() {
      const rows = await chatRows(connection, chat.id)
      const { examination, changes, healed } = examineChatRows(chat, rows)
      if (!changes) return examination
      const mustBeSame = (standing: readonly ChatMessageRow[]): void => {
        if (!areSameRows(standing, rows))
          throw fileError(
            connection.place,
            `chat ${chat.id} changed during the repair, so nothing was written`,
            'close its program and try again',
          )
      }
      return {
        ...examination,
        storeRepair: {
          files: [],
          isShared: true,
          users: async () =>
            (await otherProgram(connection)) ?? (isFresh(chat, rows, now + aheadMs) ? freshly : undefined),
          keep: async backup => {
            backup.addData(await keepRows(connection, chat.id, healed))
            mustBeSame(await chatRows(connection, chat.id))
          },
          apply: assertUnused =>
            inTransaction(connection, ['ai_messages'], async () => {
              mustBeSame(await chatRows(connection, chat.id))
              assertUnused?.()
              await writeRowChanges(connection, chat.id, changes)
              if (!areSameRows(await chatRows(connection, chat.id), healed))
                throw fileError(
                  connection.place,
                  `chat ${chat.id}: the rows read back differ from the repair, so nothing was written`,
                  'check the triggers, rules and policies of ai_messages',
                )
            }),
        },
      }
    },
  })
  return {
    async *conversations() {
      const aheadMs = await clockAhead(connection)
      for (const chat of await chatsIn(connection)) yield conversation(chat, aheadMs)
    },
    close: () => connection.end(),
  }
}

/** A server may hold no connection while a tool runs in a browser, or may run on another machine. */
const freshly = 'it was written to less than five minutes ago, and a server may be at work on it'

/** How far the clock of the server is ahead: the times in the rows are from that clock. */
async function clockAhead({ query }: Connection): Promise<number> {
  const [row] = await query('select extract(epoch from clock_timestamp()) * 1000 as now', [])
  return Number(present(row, 'a query without a table returns one row').now) - Date.now()
}

/** All chats except deleted ones. */
async function chatsIn({ query }: Connection): Promise<ChatRow[]> {
  const chats = await query(
    `select c.id, c.title, p.provider_id as provider, c.updated_at
     from ai_conversations c left join ai_provider_credentials p on p.id = c.credential_id
     where c.deleted_at is null order by c.created_at, c.id`,
    [],
  )
  return chats as unknown as ChatRow[]
}
