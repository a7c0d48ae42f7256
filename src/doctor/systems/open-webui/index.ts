import { join, resolve } from 'node:path'
import { schemaText } from '../../schema-text.ts'
import { openDatabase } from '../../sqlite.ts'
import type { StoredConversation, StoreUser, System } from '../../system.ts'
import { examineChat } from './examine-chat.ts'

/** The chats of Open WebUI, all in one database. They are read, and never changed. */
export const openWebui: System = {
  id: 'open-webui',
  title: 'Open WebUI',
  places,
  recognises: peek => chatTable.test(schemaText(peek)),
  async open(path) {
    const database = openDatabase(path, ['chat', 'chat_message'])
    const conversation = (id: string, title: unknown): StoredConversation => ({
      id,
      ...(typeof title === 'string' && title !== '' && { title }),
      examine: async () => examineChat(database.look, id, `${path}, chat ${id}`),
    })
    return {
      *conversations() {
        const chats = database.look.prepare('select id, title from chat order by created_at, id')
        for (const { id, title } of chats.all()) yield conversation(String(id), title)
      },
      close: () => database.close(),
    }
  },
}

const chatTable = /CREATE TABLE\s+"?chat"?\s*\((?=[^;]{0,800}\bshare_id\b)[^;]{0,800}\barchived\b/i

/** Only where its user names the folder of its data, or in the folder of its container: the default is in its package. */
function places({ folder, environment }: StoreUser): string[] {
  const { DATA_DIR: data } = environment
  return [...(data ? [resolve(folder, data)] : []), '/app/backend/data'].map(path => join(path, 'webui.db'))
}
