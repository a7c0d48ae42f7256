import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../core/errors.ts'

/**
 * The tables of graphs, next to those of the journal, as migrations. A released migration is never changed. Content is in the
 * order of writing, with a small index.
 */
const migrations: readonly string[] = [
  `
    CREATE TABLE antiphon_graph (
      graph INTEGER PRIMARY KEY AUTOINCREMENT,
      thread TEXT NOT NULL UNIQUE,
      epoch INTEGER NOT NULL,
      owner TEXT,
      leased_until INTEGER NOT NULL
    );
    CREATE TABLE antiphon_graph_checkpoint (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      graph INTEGER NOT NULL,
      namespace TEXT NOT NULL,
      id TEXT NOT NULL,
      parent TEXT,
      body TEXT NOT NULL,
      metadata TEXT NOT NULL,
      UNIQUE (graph, namespace, id)
    );
    CREATE INDEX antiphon_graph_latest ON antiphon_graph_checkpoint (graph, namespace);
    CREATE TABLE antiphon_graph_write (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      graph INTEGER NOT NULL,
      namespace TEXT NOT NULL,
      checkpoint TEXT NOT NULL,
      task TEXT NOT NULL,
      idx INTEGER NOT NULL,
      channel TEXT NOT NULL,
      value TEXT NOT NULL,
      UNIQUE (graph, checkpoint, task, idx, namespace)
    );
    CREATE TABLE antiphon_graph_part (
      part INTEGER PRIMARY KEY,
      graph INTEGER NOT NULL,
      hash BLOB NOT NULL,
      data BLOB NOT NULL,
      UNIQUE (graph, hash)
    );
    CREATE TABLE antiphon_graph_effect (
      graph INTEGER NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL,
      owner TEXT NOT NULL,
      outcome TEXT,
      PRIMARY KEY (graph, key)
    ) WITHOUT ROWID;
  `,
  'ALTER TABLE antiphon_graph ADD COLUMN leased_at INTEGER NOT NULL DEFAULT 0',
]

/** Migrates the tables. Idempotent, also when several processes do it at once. */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec('CREATE TABLE IF NOT EXISTS antiphon_graph_migration (version INTEGER PRIMARY KEY)')
    const found = database.prepare('SELECT max(version) AS version FROM antiphon_graph_migration').get()
    const version = Number(found?.version ?? 0)
    if (version > migrations.length) throw newer(version, migrations.length)
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue
      database.exec(sql)
      database.prepare('INSERT INTO antiphon_graph_migration (version) VALUES (?)').run(index + 1)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

export const newer = (version: number, latest: number): AntiphonError =>
  new AntiphonError('newer-journal', `the graphs have version ${version}, this release reads up to ${latest}`, {
    hint: 'update antiphon in every process that opens this journal',
    version,
    latest,
  })
