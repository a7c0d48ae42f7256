import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Returns a function that closes a read-only connection. To read, SQLite creates a WAL next to the file if there is none, and
 * only a writable connection removes it, so one is opened and closed. That changes no data, and removes nothing that other
 * processes use. A WAL that existed before is left to its writer.
 */
export function readOnlyCloser(database: DatabaseSync): () => void {
  const file = database.location()
  const hasWal = (): boolean => existsSync(`${file}-wal`)
  const isForeign = hasWal()
  return () => {
    database.close()
    if (file !== null && !isForeign && hasWal()) removeWal(file)
  }
}

function removeWal(file: string): void {
  try {
    const database = new DatabaseSync(file)
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
