import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Gives the function that closes a connection which only reads. To read, SQLite makes a log beside the file where there is none,
 * and only who may write removes it again: so such a connection is opened and closed once more. It changes nothing, and removes
 * nothing that others use. A log that was there before is left to its writer.
 */
export function closeReader(database: DatabaseSync): () => void {
  const file = database.location()
  const hasLog = (): boolean => existsSync(`${file}-wal`)
  const isOthers = hasLog()
  return () => {
    database.close()
    if (file !== null && !isOthers && hasLog()) removeLog(file)
  }
}

function removeLog(file: string): void {
  try {
    const database = new DatabaseSync(file)
    try {
      // Until something is asked the log is not even opened.
      database.prepare('SELECT count(*) FROM sqlite_master').get()
    } finally {
      database.close()
    }
  } catch {
    // Who may not write to the file leaves the log there, which harms nobody.
  }
}
