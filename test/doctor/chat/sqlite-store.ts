import { readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { filesIn } from './samples.ts'

/** Makes a database from each dump in a folder. */
export function loadDumps(folder: string, ending = '.db'): void {
  for (const dump of filesIn(folder, '.sql')) {
    const database = new DatabaseSync(dump.replace(/\.sql$/, ending))
    database.exec(readFileSync(dump, 'utf8'))
    database.close()
    rmSync(dump)
  }
}

/** The statements of a sample that make its tables. */
export function schemaOf(system: string, dump: string): string {
  const path = fileURLToPath(new URL(`../systems/${system}/samples/healthy/store/${dump}`, import.meta.url))
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter(line => !/^(INSERT INTO|BEGIN;|COMMIT;|PRAGMA foreign)/.test(line)).join('\n')
}

/** Works on a database, which is closed after that. */
export function inDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Every text in a database, without the index over it. */
export const textIn = (path: string): string =>
  inDatabase(path, database =>
    database
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like '%fts%' and name not like 'sqlite%'",
      )
      .all()
      .flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
      .map(row => Object.values(row).join('\n'))
      .join('\n'),
  )
