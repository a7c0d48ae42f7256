import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isUrl, type Peek, peekAt } from '../../peek.ts'
import { schemaText } from '../../schema-text.ts'
import type { StoreUser, System } from '../../system.ts'
import { restoreRows } from './kept-rows.ts'
import { openPostgresChats } from './postgres.ts'
import { chatTables } from './postgres-rows.ts'
import { openSqliteChats } from './sqlite.ts'

/** Instatic: chats in the SQLite or PostgreSQL database of a site. */
export const instatic: System = {
  id: 'instatic',
  title: 'Instatic',
  places,
  recognises: peek => peek.kind === 'url' || hasChats(peek),
  open: async (path, options) => (isUrl(path) ? openPostgresChats(path, options) : openSqliteChats(path)),
  tables: chatTables.tables,
  restore: restoreRows,
}

function hasChats(peek: Peek): boolean {
  const schema = schemaText(peek)
  return ['ai_conversations', 'ai_messages', 'content_json'].every(name => schema.includes(name))
}

/** Many programs have a `DATABASE_URL`, so it counts only if its database has chats, or in a folder of Instatic. */
function places({ folder, environment }: StoreUser): string[] {
  const named = environment.DATABASE_URL ?? ''
  if (isUrl(named)) return existsSync(resolve(folder, 'server/ai/conversations')) ? [named] : []
  const files = [named.replace(/^(sqlite|file):/, ''), '.tmp/dev.db'].filter(file => file !== '')
  return [...new Set(files.map(file => resolve(folder, file)))].filter(isStore)
}

function isStore(path: string): boolean {
  try {
    return instatic.recognises(peekAt(path))
  } catch {
    return false
  }
}
