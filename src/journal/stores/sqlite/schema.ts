import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'

export interface Migration {
  readonly version: number
  readonly sql: string
}

/**
 * What leads from an empty database to today's tables, step by step. A step that was ever released is never changed.
 *
 * Entries lie in the order in which they were written, so that a write touches the end of the table alone; the integer key
 * keeps the index beside it small. Inputs and open calls are little more than their keys, and are stored as those. The key of
 * a thread that was removed is never given again: somebody may still have it.
 */
export const sqliteMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE antiphon_thread (
        thread INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        uid TEXT NOT NULL,
        head INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        owner TEXT,
        leased_until INTEGER NOT NULL,
        state TEXT NOT NULL,
        due_at INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      );
      CREATE INDEX antiphon_thread_due ON antiphon_thread (due_at) WHERE due_at IS NOT NULL;
      CREATE TABLE antiphon_entry (
        thread INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (thread, seq)
      );
      CREATE TABLE antiphon_input (
        thread INTEGER NOT NULL,
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (thread, key)
      ) WITHOUT ROWID;
      CREATE TABLE antiphon_open_call (
        thread INTEGER NOT NULL,
        step INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        started INTEGER NOT NULL,
        PRIMARY KEY (thread, step, idx)
      ) WITHOUT ROWID;
    `,
  },
]

const latest = sqliteMigrations[sqliteMigrations.length - 1].version

/** Brings the tables up to date. Harmless when it is done twice, or by several processes at once. */
export function migrateSqlite(database: DatabaseSync, now: number): void {
  if (checkVersion(database) === latest) return
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec('CREATE TABLE IF NOT EXISTS antiphon_migration (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)')
    // Looked up again under the lock: another process may have been faster.
    const version = checkVersion(database)
    const note = database.prepare('INSERT INTO antiphon_migration (version, at) VALUES (?, ?)')
    for (const migration of sqliteMigrations.filter(migration => migration.version > version)) {
      database.exec(migration.sql)
      note.run(migration.version, now)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The version of the tables, 0 if there are none. Refuses a database that this code is too old for. */
export function checkVersion(database: DatabaseSync): number {
  const there = database
    .prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'antiphon_migration'`)
    .get()
  if (!there) return 0
  const version = Number(database.prepare('SELECT max(version) AS version FROM antiphon_migration').get()?.version ?? 0)
  if (version <= latest) return version
  throw new AntiphonError('newer-journal', `The journal has version ${version}, and this code knows up to ${latest}`, {
    hint: 'Use a newer release of antiphon with it.',
    version,
    latest,
  })
}

/** Somebody who may not write can only read tables as they are today. */
export function checkSqliteVersion(database: DatabaseSync, file: string): void {
  const version = checkVersion(database)
  if (version === latest) return
  if (version === 0)
    throw new AntiphonError('journal-damaged', `${file} holds no journal`, { hint: 'Is it the right file?' })
  throw new AntiphonError('older-journal', `The journal has version ${version}, and this code reads ${latest}`, {
    hint: 'Open it once for writing: that brings it up to date.',
    version,
    latest,
  })
}
