import type { DatabaseSync } from 'node:sqlite'
import type { AntiphonError } from '../../../core/errors.ts'
import type { SqlDatabase } from './sql-database.ts'

/** Tables that come with migrations, and the table of the migrations that were run. */
export interface SqliteTables {
  readonly migrations: readonly Migration[]
  /** The name of the table with the versions. */
  readonly versions: string
  /** The statement that creates it. */
  readonly createVersions: string
  readonly newer: (version: number, latest: number) => AntiphonError
}

/** A released migration is never changed. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

export const latestVersion = ({ migrations }: SqliteTables): number => migrations.at(-1)?.version ?? 0

/** The version of the tables, 0 if there are none. Refuses a newer version. */
export function tablesVersion(database: SqlDatabase, tables: SqliteTables): number {
  const there = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(tables.versions)
  if (!there) return 0
  const row = database.prepare(`SELECT max(version) AS version FROM ${tables.versions}`).get()
  const version = Number(row?.version ?? 0)
  if (version > latestVersion(tables)) throw tables.newer(version, latestVersion(tables))
  return version
}

/** Brings the tables up to date; `note` records a version. Idempotent, and safe if several processes do it at once. */
export function migrateTables(database: DatabaseSync, tables: SqliteTables, note: (version: number) => void): void {
  if (tablesVersion(database, tables) === latestVersion(tables)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // The version is read again under the lock, since another process may have migrated meanwhile.
    runMigrations(database, tables, note)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs the migrations that are missing. It must run inside a transaction. */
export function runMigrations(database: SqlDatabase, tables: SqliteTables, note: (version: number) => void): void {
  database.exec(tables.createVersions)
  const found = tablesVersion(database, tables)
  for (const { version, sql } of tables.migrations.filter(({ version }) => version > found)) {
    database.exec(sql)
    note(version)
  }
}
