import {
  assertNextSeq,
  DamagedEntryError,
  journalDamagedError,
  missingEntriesError,
  readUntilDamage,
} from '../../damage.ts'
import type { Entry } from '../../entry.ts'
import { readHead, readThreadRow } from './read-thread.ts'
import { toEntry } from './rows.ts'
import type { SqlRow } from './sql-database.ts'
import type { StoreStatements } from './statements.ts'

/** The entries of a thread after a position, see `Store.read`, and how large they are. */
export interface Page {
  readonly entries: Entry[]
  readonly bytes: number
}

export function readPage(statements: StoreStatements, thread: number, after: number, limit: number): Page {
  try {
    const page = readEntries(statements, thread, after, limit)
    if (page.entries.length > 0) return page
    const head = readHead(statements, thread)
    if (head <= after || limit < 1) return page
    // Another process may have written just now.
    const written = readEntries(statements, thread, after, limit)
    if (written.entries.length > 0) return written
    throw missingEntriesError(after, head)
  } catch (error) {
    throw error instanceof DamagedEntryError
      ? journalDamagedError(readThreadRow(statements, thread).name, error)
      : error
  }
}

function readEntries(statements: StoreStatements, thread: number, after: number, limit: number): Page {
  let last = after
  let bytes = 0
  const rows = statements.entriesAfter.iterate(thread, after, thread, limit)
  const entries = readUntilDamage(within(rows), row => {
    assertNextSeq(Number(row.seq), last)
    const entry = toEntry(row)
    last = entry.seq
    return entry
  })
  return { entries, bytes }

  function* within(all: Iterable<SqlRow>): Iterable<SqlRow> {
    for (const row of all) {
      yield row
      bytes += (row.data as string | Uint8Array).length
      if (bytes > readBytesMax) return
    }
  }
}

/** The size of a page, in bytes, unless its first entry is larger. */
export const readBytesMax = 8 * 1024 * 1024
