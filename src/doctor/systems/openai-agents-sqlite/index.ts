import { join } from 'node:path'
import { fileError } from '../../files/file-error.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { ConversationStore, StoredConversation, System } from '../../system.ts'
import { examineAgentsSession } from './examine-session.ts'
import { type SessionTables, type StoredSession, sessionsIn, sessionTablesIn, tablesIn } from './tables.ts'

/** The SQLite sessions of the OpenAI Agents SDK for Python. Each session, and each branch of one, is a conversation. */
export const openaiAgentsSqlite: System = {
  id: 'openai-agents-sqlite',
  title: 'OpenAI Agents SDK',
  places: ({ folder }) => names.map(name => join(folder, name)),
  recognises: peek => tables.test(schemaText(peek)),
  async open(path) {
    const database = openDatabase(path, tablesIn)
    try {
      const layouts = sessionTablesIn(database.look)
      if (layouts.length === 0) throw fileError(path, 'it has no table of sessions')
      return storeOf(path, database, layouts)
    } catch (error) {
      database.close()
      throw error
    }
  },
}

function storeOf(path: string, database: Database, layouts: readonly SessionTables[]): ConversationStore {
  const sessions = layouts.flatMap(layout => sessionsIn(database.look, layout))
  const conversationOf = (session: StoredSession): StoredConversation => {
    const { session_id, branch } = session
    const id = branch === undefined || branch === 'main' ? session_id : `${session_id} (${branch})`
    return { id, examine: async () => examineAgentsSession(database, session, `${path}, session ${id}`) }
  }
  return {
    *conversations() {
      for (const session of sessions) yield conversationOf(session)
    },
    close: () => database.close(),
  }
}

/** A program can rename the tables, but not their columns; messages refer to their session. */
const tables = /CREATE TABLE(?=[^;]{0,900}?\bREFERENCES\b)[^;]{0,300}?\bsession_id\b[^;]{0,300}?\bmessage_data\b/i

/** The names in the SDK's documentation; it has no default place. */
const names = ['conversations.db', 'conversation_history.db']
