import { closeSync, readSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '../journal/stores/node-modules.ts'
import { openRegularFile } from './files/regular-file.ts'
import { isSqlite, mustHaveSoundSchema } from './files/sqlite-schema-tree.ts'
import { restrictSqlite } from './files/untrusted-sqlite.ts'
import type { Peek } from './peek.ts'

/**
 * The statements that created the tables of an SQLite database, as one text; empty if it is not one. It is read without
 * leaving a trace. A table that is only in the write-ahead log is found if it is at the beginning of the log.
 */
export function schemaText(peek: Peek): string {
  if (peek.kind !== 'file' || !isSqlite(peek.head())) return ''
  return `${statements(peek.path)}\n${beginning(`${peek.path}-wal`)}`
}

function statements(path: string): string {
  let database: DatabaseSync | undefined
  try {
    mustHaveSoundSchema(path)
    database = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true })
    restrictSqlite(database)
    const rows = database.prepare('select sql from sqlite_schema where sql is not null').all()
    return rows.map(({ sql }) => sql).join('\n')
  } catch {
    // A damaged database is recognised by what its first pages still contain, so that its own system can report it.
    return beginning(path)
  } finally {
    database?.close()
  }
}

const bytesMax = 256 * 1024

function beginning(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) return ''
  const size = Math.min(stat.size, bytesMax)
  const handle = openRegularFile(path)
  try {
    const bytes = Buffer.alloc(size)
    return bytes.subarray(0, readSync(handle, bytes, 0, size, 0)).toString('latin1')
  } finally {
    closeSync(handle)
  }
}
