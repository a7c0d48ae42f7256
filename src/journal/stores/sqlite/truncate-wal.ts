import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The WAL has the pages as they were before the erasure. It is emptied, unless other processes read from it for all that time: then the next
 * erasure does it, or the last process that closes the journal.
 */
export async function truncateWal(database: DatabaseSync, waitMs: number): Promise<void> {
  const end = performance.now() + waitMs
  while (database.isOpen) {
    if (isTruncated(database) || performance.now() >= end) return
    await sleep(pauseMs)
  }
}

function isTruncated(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    // The erasure is done all the same.
    return false
  }
}

const pauseMs = 20
