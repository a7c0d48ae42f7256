import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { unreadable } from './file-error.ts'
import { companions } from './no-links.ts'

/**
 * What guards against an SQLite file from somebody else. A schema is a program: a view can be an endless query, a generated column can
 * make any number of bytes, and a trigger or a constraint runs when a row is written. And pages that lead to each other again and
 * again look like endless rows. Tables that are checked here have no more rows and bytes than their file has.
 */
export function distrust(database: DatabaseSync): void {
  ;(database as { enableDefensive?: (isActive: boolean) => void }).enableDefensive?.(true)
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
}

/** Throws unless each of these names, as far as it is there, is an ordinary table with ordinary columns and sound pages. */
export function mustBeTables(database: DatabaseSync, path: string, names: Iterable<string>, withPages = true): void {
  for (const name of names) {
    const kind = kindOf(database, name)
    if (kind === undefined) continue
    if (kind !== 'table') throw unreadable(path, `${name} is a ${kind} and not a table, so it was not read`)
    const columns = database.prepare(`pragma table_xinfo(${quoted(name)})`).all()
    const generated = columns.find(({ hidden }) => hidden !== 0)
    if (generated)
      throw unreadable(path, `the column ${generated.name} of ${name} is computed and not stored, so it was not read`)
    if (withPages) mustHaveSoundPages(database, path, name)
  }
}

function kindOf(database: DatabaseSync, name: string): string | undefined {
  const statement = "select type, sql from sqlite_schema where lower(name) = ? and type in ('table', 'view')"
  const row = database.prepare(statement).get(name.toLowerCase())
  if (!row) return undefined
  return /^\s*create\s+virtual\b/i.test(String(row.sql)) ? 'virtual table' : String(row.type)
}

/** The first complaint is of the pages, if one is; rows that break a constraint are the concern of their own program. */
function mustHaveSoundPages(database: DatabaseSync, path: string, name: string): void {
  database.exec('pragma ignore_check_constraints = on')
  try {
    for (const row of database.prepare(`pragma quick_check(${quoted(name)})`).iterate()) {
      const word = String(Object.values(row)[0])
      if (/^\*\*\* in database|^tree \d+|malformed/i.test(word)) throw unreadable(path, 'the database is damaged')
      break
    }
  } finally {
    database.exec('pragma ignore_check_constraints = off')
  }
}

/** Throws if a write to these tables would run anything of their own: a trigger, or more than a plain constraint. */
export function mustRunNothing(database: DatabaseSync, path: string, names: Iterable<string>): void {
  const reached = reachedFrom(database, names)
  for (const { type, name, tbl_name, sql } of database
    .prepare('select type, name, tbl_name, sql from sqlite_schema')
    .all()) {
    if (!reached.has(String(tbl_name).toLowerCase())) continue
    if (type === 'trigger')
      throw unreadable(path, `a write to ${tbl_name} would run its trigger ${name}, so it was left as it is`)
    const heavy = callIn(String(sql ?? ''))
    if (heavy !== undefined)
      throw unreadable(path, `a write to ${tbl_name} would run ${heavy} in its schema, so it was left as it is`)
  }
}

/** These tables, and those whose rows go with theirs. */
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

/** The first thing in a statement of a schema that can take long, or make much of little. Words in quotes are none. */
function callIn(sql: string): string | undefined {
  const bare = sql.replace(
    /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)/g,
    found => (/^["`[]/.test(found) ? found : ' '),
  )
  return /\b(?:like|glob)\b(?=\W)/i.exec(bare)?.[0] ?? heavyCall.exec(bare)?.[1]
}

const heavyCall =
  /\b(hex|unhex|zeroblob|randomblob|printf|format|replace|concat|concat_ws|group_concat|string_agg|quote|unistr\w*|instr|l?r?trim|json_(?!valid)\w*|jsonb\w*|regexp|rtree\w*|fts\w*|load_extension)["`\]]?\s*\(/i

/** Throws unless all of a database is sound, as far as that can be told without running what is in its schema. */
export function mustBeSound(database: DatabaseSync, path: string): void {
  const statements = database.prepare("select sql from sqlite_schema where type = 'table'").all()
  // Names in the schema tell: a column that is computed is computed by the check as well.
  if (statements.some(({ sql }) => /\bvirtual\b|\bgenerated\b|\bas\b/i.test(String(sql)))) return
  database.exec('pragma ignore_check_constraints = on')
  const [first] = database.prepare('pragma quick_check(1)').all()
  database.exec('pragma ignore_check_constraints = off')
  const word = Object.values(first ?? {})[0]
  if (word !== 'ok') throw unreadable(path, `the database is damaged: ${word}`, 'nothing was changed')
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Opens a database that has a log or a journal next to it in a process of its own, which is ended if it takes too long: SQLite reads
 * the schema from the log first, and nothing can interrupt it here. With `fold` what is in the log goes into the file.
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
    throw unreadable(shown, 'it takes too long to open, so it was not read')
}

/** What it fails for is told by whoever opens the database next. */
const opening = `
  const [, path, fold] = process.argv
  const database = new (require('node:sqlite').DatabaseSync)(path, { readOnly: !fold, timeout: 2000 })
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
  database.prepare('select count(*) from sqlite_schema').get()
  if (fold) database.exec('pragma journal_mode = delete')
  database.close()`

const openMs = 10_000
const bytesPerMs = 20_000
