import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { latestVersion, type Migration, migrateTables, type SqliteTables, tablesVersion } from './migrate.ts'
import type { SqlDatabase } from './sql-database.ts'

/**
 * The migrations from an empty database to the current tables. A released migration is never changed.
 *
 * Entries are stored in the order of writing, so that a write touches only the end of the table; the integer key keeps their
 * index small. Inputs and open calls are little more than their keys, so their tables are WITHOUT ROWID. The key of a removed
 * thread is never used again (AUTOINCREMENT), because a process may still have it.
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

export const journalSchema: SqliteTables = {
  migrations: sqliteMigrations,
  versions: 'antiphon_migration',
  createVersions: 'CREATE TABLE IF NOT EXISTS antiphon_migration (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)',
  newer: (version, latest) =>
    new AntiphonError('newer-journal', `the journal has version ${version}, this release reads up to ${latest}`, {
      hint: 'update antiphon in every process that opens this journal',
      version,
      latest,
    }),
}

export const latest = latestVersion(journalSchema)

export const noteMigration = 'INSERT INTO antiphon_migration (version, at) VALUES (?, ?)'

/** Brings the tables up to date. Idempotent, and safe if several processes do it at once. */
export function migrateSqlite(database: DatabaseSync, now: number): void {
  migrateTables(database, journalSchema, version => {
    database.prepare(noteMigration).run(version, now)
  })
}

/** The version of the tables, 0 if there are none. Refuses a newer version. */
export const checkVersion = (database: SqlDatabase): number => tablesVersion(database, journalSchema)

/** A read-only connection cannot migrate, so the tables must have the current version. */
export function checkSqliteVersion(database: DatabaseSync, file: string): void {
  const version = checkVersion(database)
  if (version === latest) return
  if (version === 0)
    throw new AntiphonError('journal-damaged', `${file} is not a journal`, { hint: 'check that it is the right file' })
  throw new AntiphonError('older-journal', `the journal has version ${version}, this release reads version ${latest}`, {
    hint: 'open it once for writing, which migrates it',
    version,
    latest,
  })
}
