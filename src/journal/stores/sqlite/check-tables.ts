import { AntiphonError } from '../../../core/errors.ts'
import { DatabaseSync } from '../node-modules.ts'
import { checkVersion, latest, migrateSqlite } from './schema.ts'

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
    mustHaveStatements(database, made, journalTables)
  } finally {
    made.close()
  }
}

/** Throws unless these tables are made by the same statements as in another database. */
export function mustHaveStatements(database: DatabaseSync, made: DatabaseSync, names: readonly string[]): void {
  const expected = statementsOf(made)
  const found = statementsOf(database)
  for (const name of names)
    if (found.get(name) !== expected.get(name))
      throw new AntiphonError('journal-damaged', `its table ${name} is not a table of a journal`, {
        hint: 'check that it is the right file; if it is, restore it from a backup',
      })
}

/** The statements that made the tables, by name, whatever their white space. */
function statementsOf(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'table'`).all()
  return new Map(rows.map(({ name, sql }) => [String(name).toLowerCase(), String(sql).replaceAll(/\s+/g, ' ')]))
}
