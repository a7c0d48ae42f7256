import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bytesOf } from './contract.ts'

/** What a program finds in a store: the rows of a database, or else the bytes of the files; undefined if nothing is there. */
export function reading(path: string): unknown {
  if (!existsSync(path)) return undefined
  return statSync(path).isFile() && bytesOf(path)[''].startsWith('SQLite format 3\0') ? rowsIn(path) : bytesOf(path)
}

/** Read from a copy, because reading an interrupted database repairs it. */
function rowsIn(path: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-reading-'))
  const copy = join(folder, 'copy')
  for (const suffix of ['', '-wal', '-journal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  const database = new DatabaseSync(copy)
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
    return tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()])
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
