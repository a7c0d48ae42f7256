import { AntiphonError } from '../../core/errors.ts'
import { DatabaseSync } from '../../journal/stores/node-modules.ts'
import { mustHaveStatements } from '../../journal/stores/sqlite/check-tables.ts'
import {
  latestVersion,
  type Migration,
  migrateTables,
  type SqliteTables,
  tablesVersion,
} from '../../journal/stores/sqlite/migrate.ts'

/**
 * The tables of graphs, next to those of the journal, as migrations. Content is in the
 * order of writing, with a small index.
 */
const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
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
  },
  { version: 2, sql: 'ALTER TABLE antiphon_graph ADD COLUMN leased_at INTEGER NOT NULL DEFAULT 0' },
]

const versions = 'antiphon_graph_migration'

/** Migrates the tables. Idempotent, also when several processes do it at once. */
export function migrate(database: DatabaseSync): void {
  migrateTables(database, tables(), version => {
    database.prepare(`INSERT INTO ${versions} (version) VALUES (?)`).run(version)
  })
}

const tables = (): SqliteTables => ({
  ...{ migrations, versions, newer },
  createVersions: `CREATE TABLE IF NOT EXISTS ${versions} (version INTEGER PRIMARY KEY)`,
})

/** The names of the tables. */
export const graphTables = ['', '_checkpoint', '_write', '_part', '_effect', '_migration'].map(
  name => `antiphon_graph${name}`,
)

/** Whether a file has the tables of this version. Throws if they are of another version, or made by other statements. */
export function hasGraphTables(database: DatabaseSync): boolean {
  const version = tablesVersion(database, tables())
  if (version === 0) return false
  const latest = latestVersion(tables())
  if (version < latest) throw older(version, latest)
  const made = new DatabaseSync(':memory:')
  try {
    migrate(made)
    mustHaveStatements(database, made, graphTables)
  } finally {
    made.close()
  }
  return true
}

export const older = (version: number, latest: number): AntiphonError =>
  new AntiphonError(
    'older-journal',
    `the checkpoint tables have version ${version}, this release reads version ${latest}`,
    { hint: 'open them once with openCheckpointer, which migrates them', version, latest },
  )

export const newer = (version: number, latest: number): AntiphonError =>
  new AntiphonError(
    'newer-journal',
    `the checkpoint tables have version ${version}, this release reads up to ${latest}`,
    {
      hint: 'update antiphon in every process that opens this journal',
      version,
      latest,
    },
  )
