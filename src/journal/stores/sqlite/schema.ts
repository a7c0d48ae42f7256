import { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { latestVersion, type Migration, migrateTables, type SqliteTables, tablesVersion } from './migrate.ts'

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

const tables: SqliteTables = {
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

const latest = latestVersion(tables)

/** Brings the tables up to date. Idempotent, and safe if several processes do it at once. */
export function migrateSqlite(database: DatabaseSync, now: number): void {
  migrateTables(database, tables, version => {
    database.prepare('INSERT INTO antiphon_migration (version, at) VALUES (?, ?)').run(version, now)
  })
}

/** The names of the tables of a journal. */
export const journalTables = ['thread', 'entry', 'input', 'open_call', 'migration'].map(name => `antiphon_${name}`)

/**
 * Throws unless the tables are made by the statements of the migrations, if their version is the current one. In an
 * untrusted file, a table without its key would turn every query into a scan.
 */
export function checkTables(database: DatabaseSync): void {
  if (checkVersion(database) !== latest) return
  const made = new DatabaseSync(':memory:')
  try {
    migrateSqlite(made, 0)
    const expected = statementsOf(made)
    const found = statementsOf(database)
    for (const name of journalTables)
      if (found.get(name) !== expected.get(name))
        throw new AntiphonError('journal-damaged', `its table ${name} is not that of a journal`, {
          hint: 'check that it is the right file; if it is, restore it from a backup',
        })
  } finally {
    made.close()
  }
}

/** The statements that made the tables, by name, whatever their white space. */
function statementsOf(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'table'`).all()
  return new Map(rows.map(({ name, sql }) => [String(name).toLowerCase(), String(sql).replaceAll(/\s+/g, ' ')]))
}

/** The version of the tables, 0 if there are none. Refuses a newer version. */
export const checkVersion = (database: DatabaseSync): number => tablesVersion(database, tables)

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
