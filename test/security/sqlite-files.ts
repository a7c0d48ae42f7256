import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLite files that nobody's program would write. */

export function change(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path)
  try {
    work(database)
  } finally {
    database.close()
  }
}

const endless = 'with recursive endless(i) as (select 1 union all select i + 1 from endless)'

/** Replaces a table by a view that never ends. The statement that made the table is still to be read in it. */
export function endlessView(path: string, table: string): void {
  change(path, database => {
    const sql = String(database.prepare('select sql from sqlite_schema where name = ?').get(table)?.sql)
    const columns = database.prepare(`pragma table_info("${table}")`).all()
    database.exec(`pragma foreign_keys = off; drop table "${table}"`)
    const list = columns.map(({ name }) => `'x' || i as "${name}"`).join(', ')
    database.exec(`create view "${table}" as /* ${sql} */ ${endless} select ${list} from endless`)
  })
}

/** Makes a column one that is computed: 60 MB from nothing. */
export function computedColumn(path: string, table: string, column: string): void {
  change(path, database => {
    const sql = String(database.prepare('select sql from sqlite_schema where name = ?').get(table)?.sql)
    database.exec('pragma foreign_keys = off')
    database.exec(`alter table "${table}" drop column "${column}"`)
    database.exec(
      `alter table "${table}" add column "${column}" text generated always as (hex(zeroblob(30000000))) /* ${sql} */`,
    )
  })
}

/** Adds levels of pages in front of a page, each of which leads to the next one many times: endless rows in a few pages. */
export function endlessPages(bytes: Buffer, page: number): { bytes: Buffer; root: Buffer } {
  const size = pageSize(bytes)
  const first = bytes.length / size + 1
  const levels = 8
  const made = Array.from({ length: levels }, (_, level) =>
    interior(size, level + 1 === levels ? page : first + level + 1),
  )
  return { bytes: withPages(bytes, made), root: interior(size, first) }
}

/** The same for a table: its first page becomes one of them. */
export function endlessRows(path: string, table: string): void {
  let root = 0
  change(path, database => {
    root = Number(database.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.rootpage)
  })
  const old = readFileSync(path)
  const size = pageSize(old)
  // The rows of the table move to a page of their own.
  const leaf = old.subarray((root - 1) * size, root * size)
  const moved = withPages(old, [Buffer.from(leaf)])
  const made = endlessPages(moved, moved.length / size)
  made.root.copy(made.bytes, (root - 1) * size)
  writeFileSync(path, made.bytes)
}

/** The same for the statistics, which SQLite reads before anything else. */
export function endlessStatistics(path: string): void {
  change(path, database => database.exec('analyze'))
  endlessRows(path, 'sqlite_stat1')
}

/** The same for the schema itself, in which only an index without a statement may come again and again. */
export function endlessSchema(path: string): void {
  const { bytes, first } = withEndlessSchema(readFileSync(path))
  first.copy(bytes, 0)
  writeFileSync(path, bytes)
}

/** The pages of an endless schema, and the first page that leads to them. */
function withEndlessSchema(old: Buffer): { bytes: Buffer; first: Buffer } {
  const size = pageSize(old)
  const page = old.subarray(0, size)
  if (page[100] !== 13) throw new Error('the schema has more than one page')
  const cells = Array.from({ length: page.readUInt16BE(103) }, (_, index) => page.readUInt16BE(108 + 2 * index))
  const isAutomatic = (cell: number): boolean => page.subarray(cell, cell + 60).includes('sqlite_autoindex')
  const whole = leaf(page, cells)
  const again = leaf(page, cells.filter(isAutomatic).slice(0, 1))
  const grown = withPages(old, [whole, again])
  const made = endlessPages(grown, grown.length / size)
  const first = Buffer.from(made.bytes.subarray(0, size))
  const root = interior(size - 100, grown.length / size + 1)
  root.copy(first, 100)
  // The statements come first, then what never ends.
  const at = 100 + root.readUInt16BE(12)
  first.writeUInt32BE(grown.length / size - 1, at)
  for (let index = 0; index < root.readUInt16BE(3); index++)
    first.writeUInt16BE(100 + root.readUInt16BE(12 + 2 * index), 112 + 2 * index)
  first.writeUInt16BE(100 + root.readUInt16BE(5), 105)
  return { bytes: made.bytes, first }
}

/** The same in a write-ahead log, next to a file that is sound. */
export function endlessSchemaInLog(path: string): void {
  change(path, database => database.exec('pragma journal_mode = wal'))
  const old = readFileSync(path)
  const size = pageSize(old)
  const { bytes, first } = withEndlessSchema(old)
  first.copy(bytes, 0)
  const count = bytes.length / size
  const header = Buffer.alloc(32)
  header.writeUInt32BE(0x377f0682, 0)
  header.writeUInt32BE(3_007_000, 4)
  header.writeUInt32BE(size, 8)
  header.writeUInt32BE(0x11111111, 16)
  header.writeUInt32BE(0x22222222, 20)
  let sum: [number, number] = checksum(header.subarray(0, 24), [0, 0])
  writeSum(header, 24, sum)
  const frames = Array.from({ length: count }, (_, index) => {
    const frame = Buffer.alloc(24 + size)
    frame.writeUInt32BE(index + 1, 0)
    frame.writeUInt32BE(index + 1 === count ? count : 0, 4)
    header.copy(frame, 8, 16, 24)
    bytes.copy(frame, 24, index * size, (index + 1) * size)
    sum = checksum(frame.subarray(24), checksum(frame.subarray(0, 8), sum))
    writeSum(frame, 16, sum)
    return frame
  })
  writeFileSync(`${path}-wal`, Buffer.concat([header, ...frames]))
}

function writeSum(bytes: Buffer, at: number, [one, two]: [number, number]): void {
  bytes.writeUInt32BE(one, at)
  bytes.writeUInt32BE(two, at + 4)
}

/** Of the words of a log with this mark at its beginning, the lowest byte comes first. */
function checksum(bytes: Buffer, [one, two]: [number, number]): [number, number] {
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + bytes.readUInt32LE(at) + two) >>> 0
    two = (two + bytes.readUInt32LE(at + 4) + one) >>> 0
  }
  return [one, two]
}

const pageSize = (bytes: Buffer): number => (bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16))

/** A page that leads to another one again and again. */
function interior(size: number, child: number): Buffer {
  const page = Buffer.alloc(size)
  const cells = Math.floor((size - 12) / 8)
  page[0] = 5
  page.writeUInt16BE(cells, 3)
  page.writeUInt16BE(size - 5 * cells, 5)
  page.writeUInt32BE(child, 8)
  for (let index = 0; index < cells; index++) {
    const cell = size - 5 * (index + 1)
    page.writeUInt16BE(cell, 12 + 2 * index)
    page.writeUInt32BE(child, cell)
    page[cell + 4] = 127
  }
  return page
}

/** A leaf of its own with cells of the first page. */
function leaf(first: Buffer, cells: readonly number[]): Buffer {
  const page = Buffer.from(first)
  page.fill(0, 0, 108)
  page[0] = 13
  page.writeUInt16BE(cells.length, 3)
  page.writeUInt16BE(first.readUInt16BE(105), 5)
  for (const [index, cell] of cells.entries()) page.writeUInt16BE(cell, 8 + 2 * index)
  return page
}

function withPages(bytes: Buffer, pages: readonly Buffer[]): Buffer {
  const grown = Buffer.concat([bytes, ...pages])
  grown.writeUInt32BE(grown.length / pageSize(bytes), 28)
  bytes.copy(grown, 92, 24, 28)
  return grown
}
