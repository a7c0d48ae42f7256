import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Peek } from '../peek.ts'
import { schemaText } from '../schema-text.ts'
import type { System, User } from '../system.ts'
import { openFileStore } from './file-store.ts'
import { openSqliteStore } from './sqlite-store.ts'

/** Sessions of opencode: files of older versions, and the database of newer ones. */
export const opencode: System = {
  id: 'opencode',
  title: 'opencode',
  places,
  recognises: peek => isFolder(peek) || isDatabase(peek),
  open: async (path, { now }) => (statSync(path).isDirectory() ? openFileStore(path, now) : openSqliteStore(path, now)),
}

function places({ home, folder, environment }: User): string[] {
  const { XDG_DATA_HOME: data, OPENCODE_DB: own } = environment
  const root = join(data || join(home, '.local', 'share'), 'opencode')
  const databases = ['opencode.db', 'opencode-dev.db', 'opencode-local.db'].map(name => join(root, name))
  const named = own && own !== ':memory:' ? [resolve(root, own)] : []
  return [join(root, 'storage'), ...databases, ...named].map(path => resolve(folder, path))
}

const isFolder = (peek: Peek): boolean => peek.kind === 'directory' && ['session', 'message', 'part'].every(peek.has)

function isDatabase(peek: Peek): boolean {
  const schema = schemaText(peek)
  return tables.every(table => table.test(schema))
}

const tables = [
  /CREATE TABLE [`"]?message[`"]?\s*\([^;]{0,400}\bsession_id\b[^;]{0,400}\bdata\b/i,
  /CREATE TABLE [`"]?part[`"]?\s*\([^;]{0,400}\bmessage_id\b[^;]{0,400}\bdata\b/i,
]
