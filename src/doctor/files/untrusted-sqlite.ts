import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { fileError } from './file-error.ts'
import { companions } from './no-links.ts'
import { callIn, fullText, ignoresChangesOf, isBoundedTrigger, schemaEntries } from './program-triggers.ts'

/**
 * Guards against untrusted SQLite files. A schema is a program: a view can be an endless query, a generated column can
 * produce any number of bytes, and a trigger or a constraint runs when a row is written. Pages that refer to each other
 * in a cycle look like endless rows. Tables that pass these checks have no more rows and bytes than their file.
 */
export function restrictSqlite(database: DatabaseSync): void {
  ;(database as { enableDefensive?: (isActive: boolean) => void }).enableDefensive?.(true)
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
}

/** Throws unless each of these tables that exists is an ordinary table with ordinary columns and sound pages. */
export function mustBeTables(database: DatabaseSync, path: string, names: Iterable<string>, withPages = true): void {
  for (const name of names) {
    const kind = kindOf(database, name)
    if (kind === undefined) continue
    if (kind !== 'table') throw fileError(path, `${name} is a ${kind} and not a table, so it was not read`)
    const columns = database.prepare(`pragma table_xinfo(${quoted(name)})`).all()
    const generated = columns.find(({ hidden }) => hidden !== 0)
    if (generated)
      throw fileError(path, `the column ${generated.name} of ${name} is computed and not stored, so it was not read`)
    if (withPages) mustHaveSoundPages(database, path, name)
  }
}

function kindOf(database: DatabaseSync, name: string): string | undefined {
  const statement = "select type, sql from sqlite_schema where lower(name) = ? and type in ('table', 'view')"
  const row = database.prepare(statement).get(name.toLowerCase())
  if (!row) return undefined
  return /^\s*create\s+virtual\b/i.test(String(row.sql)) ? 'virtual table' : String(row.type)
}

/**
 * The first error reported is about the pages, if any is; rows that break a constraint are left to their own program.
 */
function mustHaveSoundPages(database: DatabaseSync, path: string, name: string): void {
  database.exec('pragma ignore_check_constraints = on')
  try {
    for (const row of database.prepare(`pragma quick_check(${quoted(name)})`).iterate()) {
      const word = String(Object.values(row)[0])
      if (/^\*\*\* in database|^tree \d+|malformed/i.test(word)) throw fileError(path, 'the database is damaged')
      break
    }
  } finally {
    database.exec('pragma ignore_check_constraints = off')
  }
}

/** What a write to the tables of a program may run, because the program expects it. */
export interface OwnSchema {
  /** Whether a trigger or a table with this name, in lower case, belongs to the program. */
  isOwn?(name: string): boolean
  /** Tables of which only these columns are changed, all in lower case: no row is added or deleted. */
  readonly changed?: Readonly<Record<string, readonly string[]>>
}

/**
 * Throws if a write to these tables would run code from the schema: a trigger, or more than a plain constraint. A
 * trigger of the program may run if its work is bounded, and so may a full-text index that it fills. A constraint of its
 * tables may look into JSON.
 */
export function mustRunNothing(
  database: DatabaseSync,
  path: string,
  names: Iterable<string>,
  { isOwn = () => false, changed = {} }: OwnSchema = {},
): void {
  const schema = schemaEntries(database)
  const written = [...names].filter(name => !(name in changed))
  const whole = reachedFrom(database, written)
  const reached = new Set([...whole, ...Object.keys(changed)])
  let count = 0
  for (const one of schema) {
    const { type, name, tbl_name, sql } = one
    if (!reached.has(tbl_name) || (type === 'table' && fullText.test(sql))) continue
    if (type === 'trigger') {
      if (!whole.has(tbl_name) && ignoresChangesOf(one, changed[tbl_name])) continue
      if (!isOwn(name) || ++count > triggersMax || !isBoundedTrigger(one, schema))
        throw fileError(path, `a write to ${tbl_name} would run its trigger ${name}, so it was left as it is`)
      continue
    }
    const heavy = callIn(isOwn(tbl_name) ? sql.replace(/\bjson_(type|extract)\(/gi, '(') : sql)
    if (heavy !== undefined)
      throw fileError(path, `a write to ${tbl_name} would run ${heavy} in its schema, so it was left as it is`)
  }
}

/** No program has more of them for the same tables. */
const triggersMax = 32

/** These tables, and those whose rows are deleted with theirs. */
function reachedFrom(database: DatabaseSync, names: Iterable<string>): Set<string> {
  const reached = new Set([...names].map(name => name.toLowerCase()))
  const keys = database
    .prepare(
      `select lower(t.name) as child, lower(k."table") as parent
       from sqlite_schema t, pragma_foreign_key_list(t.name) k where t.type = 'table'`,
    )
    .all()
  for (let size = -1; size !== reached.size; ) {
    size = reached.size
    for (const { child, parent } of keys) if (reached.has(String(parent))) reached.add(String(child))
  }
  return reached
}

/** Throws unless the whole database is sound, as far as that can be checked without running its schema. */
export function mustBeSound(database: DatabaseSync, path: string): void {
  const statements = database.prepare("select sql from sqlite_schema where type = 'table'").all()
  // Checked in the text of the schema: the integrity check would also compute a computed column.
  if (statements.some(({ sql }) => /\bvirtual\b|\bgenerated\b|\bas\b/i.test(String(sql)))) return
  database.exec('pragma ignore_check_constraints = on')
  const [first] = database.prepare('pragma quick_check(1)').all()
  database.exec('pragma ignore_check_constraints = off')
  const word = Object.values(first ?? {})[0]
  if (word !== 'ok') throw fileError(path, `the database is damaged: ${word}`, 'nothing was changed')
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Opens a database that has a log or a journal next to it in a separate process, which is ended after a time limit:
 * SQLite reads the schema from the log first, and cannot be interrupted in this process. With `fold` the log is written
 * into the file.
 */
export function mustOpenInTime(path: string, shown: string, fold: boolean): void {
  const sizes = ['', ...companions].map(suffix => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0)
  const bytes = sizes.reduce((sum, size) => sum + size)
  const { error, signal } = spawnSync(process.execPath, ['-e', opening, path, fold ? 'fold' : ''], {
    timeout: openMs + Math.ceil(bytes / bytesPerMs),
    killSignal: 'SIGKILL',
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  if (signal !== null || (error as { code?: string } | undefined)?.code === 'ETIMEDOUT')
    throw fileError(shown, 'it takes too long to open, so it was not read')
}

/** The next caller that opens the database reports the error. */
const opening = `
  const [, path, fold] = process.argv
  const database = new (require('node:sqlite').DatabaseSync)(path, { readOnly: !fold, timeout: 2000 })
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
  database.prepare('select count(*) from sqlite_schema').get()
  if (fold) database.exec('pragma journal_mode = delete')
  database.close()`

const openMs = 10_000
const bytesPerMs = 20_000
