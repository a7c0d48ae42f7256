import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { SqliteGuard } from './guard.ts'

/**
 * Returns a function that closes a read-only connection. To read, SQLite creates a WAL next to the file if there is none, and
 * only a writable connection removes it, so one is opened and closed. That changes no data, and removes nothing that other
 * processes use. A WAL that existed before is left to its writer.
 */
export function readOnlyCloser(database: DatabaseSync, open: SqliteGuard['open']): () => void {
  const file = database.location()
  const hasWal = (): boolean => existsSync(`${file}-wal`)
  const isForeign = hasWal()
  return () => {
    database.close()
    if (file !== null && !isForeign && hasWal()) removeWal(file, open)
  }
}

function removeWal(file: string, open: SqliteGuard['open']): void {
  try {
    const database = open(file, {})
    try {
      // The WAL is opened only by a query.
      database.prepare('SELECT count(*) FROM sqlite_master').get()
    } finally {
      database.close()
    }
  } catch {
    // Without write access the WAL stays, which is harmless.
  }
}
