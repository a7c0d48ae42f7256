import { AntiphonError } from '../../../core/errors.ts'
import { runMigrations, type SqliteTables } from '../sqlite/migrate.ts'
import { journalSchema, noteMigration } from '../sqlite/schema.ts'
import type { SqlDatabase } from '../sqlite/sql-database.ts'

/** The tables that only a Durable Object has. A released migration is never changed. */
const objectSchema: SqliteTables = {
  migrations: [
    {
      version: 1,
      sql: `
        CREATE TABLE antiphon_entry_part (
          thread INTEGER NOT NULL,
          seq INTEGER NOT NULL,
          part INTEGER NOT NULL,
          data TEXT NOT NULL,
          PRIMARY KEY (thread, seq, part)
        )`,
    },
  ],
  versions: 'antiphon_object_migration',
  createVersions:
    'CREATE TABLE IF NOT EXISTS antiphon_object_migration (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)',
  newer: (version, latest) =>
    new AntiphonError('newer-journal', `the object has version ${version}, this release reads up to ${latest}`, {
      hint: 'deploy the newer release of antiphon again',
      version,
      latest,
    }),
}

/** Brings the tables up to date. It must run inside a transaction. */
export function migrateObject(database: SqlDatabase, now: number): void {
  runMigrations(database, journalSchema, version => database.prepare(noteMigration).run(version, now))
  const noteObject = noteMigration.replace('antiphon_migration', objectSchema.versions)
  runMigrations(database, objectSchema, version => database.prepare(noteObject).run(version, now))
}
