import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Peek } from '../../peek.ts'
import { schemaText } from '../../schema-text.ts'
import type { StoreUser, System } from '../../system.ts'
import { openFileStore } from './file-store.ts'
import { openSqliteStore } from './sqlite-store.ts'

/** Sessions of opencode: files of older versions, and the database of newer ones. */
export const opencode: System = {
  id: 'opencode',
  title: 'opencode',
  places,
  program: { processes: [{ names: ['opencode', 'opencode-ai'], holds: () => true }], keepsOpen },
  recognises: peek => isFolder(peek) || isDatabase(peek),
  open: async path => (statSync(path).isDirectory() ? openFileStore(path) : openSqliteStore(path)),
}

/** It keeps its database and its log open: older versions, which store sessions in files, only the log. */
function keepsOpen(place: string): string[] {
  // A store that is to be restored may be gone.
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? [] : [`${join(dirname(resolve(place)), 'log')}/`]
}

function places({ home, folder, environment }: StoreUser): string[] {
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
