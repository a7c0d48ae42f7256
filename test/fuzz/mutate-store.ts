import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Random } from '../laws/random.ts'
import { mutateJson } from './mutate-json.ts'

/** Changes the files of a store somewhere: values in JSON, lines, cells of a database, and bytes. Says what it did. */
export function mutateStore(path: string, random: Random): string[] {
  const done: string[] = []
  const wanted = random.range(1, 3)
  for (let tries = 0; tries < 20 && done.length < wanted; tries++) {
    const files = filesOf(path)
    if (files.length === 0) return done
    const file = random.pick(files)
    const bytes = readFileSync(file)
    const what = isDatabase(bytes) ? mutateDatabase(file, random) : tryMutateFile(file, bytes, random)
    if (what !== undefined) done.push(`${file.slice(path.length)}: ${what}`)
  }
  return done
}

const filesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && !/-(wal|shm|journal)$/.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name))
        .sort()
    : [path]

const isDatabase = (bytes: Buffer): boolean => bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3'

/** Values that are nested deeper and deeper can at last not be printed as JSON: then nothing is done. */
function tryMutateFile(file: string, bytes: Buffer, random: Random): string | undefined {
  try {
    return mutateFile(file, bytes, random)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function mutateFile(file: string, bytes: Buffer, random: Random): string {
  if (random.chance(0.1)) return mutateBytes(file, bytes, random)
  const text = bytes.toString()
  const whole = parsed(text)
  if (whole !== undefined) {
    writeFileSync(file, printed(mutateJson(whole.value, random), random.pick([undefined, 2])))
    return 'JSON'
  }
  const lines = text.split('\n')
  const index = random.int(lines.length)
  const line = parsed(lines[index] ?? '')
  const other = random.int(lines.length)
  switch (line === undefined ? random.int(4) : random.int(8)) {
    case 0:
      lines.splice(index, random.range(1, 3))
      break
    case 1:
      lines.splice(other, 0, lines[index] ?? '')
      break
    case 2:
      lines.splice(other, 0, ...lines.splice(index, 1))
      break
    case 3:
      lines[index] = (lines[index] ?? '').slice(0, random.int((lines[index] ?? '').length + 1))
      break
    default:
      lines[index] = printed(mutateJson(line?.value, random))
  }
  writeFileSync(file, lines.join('\n'))
  return `line ${index}`
}

function mutateBytes(file: string, bytes: Buffer, random: Random): string {
  const at = random.int(bytes.length + 1)
  const changed = random.pick([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.int(256)]), bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.int(bytes.length + 1))]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.alloc(0),
  ])()
  writeFileSync(file, changed)
  return `bytes at ${at}`
}

/** Changes a cell, or takes a row away, or puts one in twice. What the database itself refuses is not done. */
function mutateDatabase(file: string, random: Random): string | undefined {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA foreign_keys = off')
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => String(name))
    if (tables.length === 0) return undefined
    const table = quoted(random.pick(tables))
    const rows = database.prepare(`SELECT rowid AS antiphon_row, * FROM ${table}`).all()
    if (rows.length === 0) return undefined
    const { antiphon_row: id, ...row } = random.pick(rows)
    const columns = Object.keys(row)
    const column = random.pick(columns)
    const kind = random.int(10)
    if (kind === 0) database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(id)
    else if (kind === 1)
      database
        .prepare(`INSERT INTO ${table} (${columns.map(quoted)}) VALUES (${columns.map(() => '?')})`)
        .run(...columns.map(name => (name === column ? cell(row[name], random) : row[name])))
    else
      database
        .prepare(`UPDATE ${table} SET ${quoted(column)} = ? WHERE rowid = ?`)
        .run(kind === 2 ? random.pick(rows)[column] : cell(row[column], random), id)
    return `${table}.${column} of row ${id}`
  } catch {
    return undefined
  } finally {
    database.close()
  }
}

type Cell = null | number | bigint | string | Uint8Array

function cell(old: Cell, random: Random): Cell {
  const text = typeof old === 'string' ? old : old instanceof Uint8Array ? Buffer.from(old).toString() : undefined
  const inner = text === undefined ? undefined : parsed(text)
  if (inner !== undefined && random.chance(0.8)) {
    const changed = printed(mutateJson(inner.value, random))
    return typeof old === 'string' ? changed : Buffer.from(changed)
  }
  return random.pick<Cell>([
    ...[null, 0, -1, 1.5, '', 'x', 'null', '{}', '[]', '{"a":', new Uint8Array(), new Uint8Array([0xff, 0, 0xfe])],
    ...[9_007_199_254_740_993n, text?.slice(0, random.int(text.length + 1)) ?? 7, '\ud800\u0000', 'é'.repeat(3_000)],
  ])
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const printed = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent) ?? ''
