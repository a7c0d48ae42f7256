import { closeSync, fstatSync, readSync } from 'node:fs'
import { fileError } from './file-error.ts'
import { openRegularFile } from './regular-file.ts'

/** Whether the first bytes of a file are those of an SQLite database. */
export const isSqlite = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 16)).toString('latin1') === magic

const magic = 'SQLite format 3\0'

/**
 * Throws unless the pages that hold the schema of an SQLite file, and its statistics (`sqlite_stat1` and others), form
 * trees, with statements of a reasonable length. SQLite reads both completely before it runs a statement, and pages
 * that refer to each other in a cycle keep it busy forever (https://www.sqlite.org/fileformat2.html). The write-ahead
 * log is not checked.
 */
export function mustHaveSoundSchema(path: string, shown = path): void {
  const handle = openRegularFile(path)
  try {
    const { size } = fstatSync(handle)
    if (size === 0) return
    const pages = pagesOf(handle, size)
    if (!pages) throw damaged(shown)
    let left = Math.min(size, schemaBytesMax)
    const statistics: number[] = []
    const seen = new Set<number>()
    for (const { page, cells } of leavesOf(pages, 1, seen, false)) {
      for (const cell of cells) {
        left -= varint(page, cell).value
        if (left < 0) throw fileError(shown, 'its schema is longer than the file, so it was not read')
        const root = statisticsRoot(payloadAt(pages, page, cell))
        if (root !== undefined) statistics.push(root)
      }
    }
    for (const root of statistics) for (const _ of leavesOf(pages, root, seen, true));
  } catch (error) {
    if (error instanceof RangeError || error === notATree) throw damaged(shown)
    throw error
  } finally {
    closeSync(handle)
  }
}

const damaged = (path: string): Error => fileError(path, 'the database is damaged: its schema cannot be read')

const notATree = new Error('the pages are not a tree')

const interiorIndex = 2
const interiorTable = 5
const leafIndex = 10
const leafTable = 13
const schemaBytesMax = 64 * 1024 * 1024

interface Pages {
  readonly count: number
  /** The bytes of a page that hold content. */
  readonly usable: number
  /** Pages are numbered from 1. */
  read(number: number): Buffer
}

function pagesOf(handle: number, size: number): Pages | undefined {
  const header = bytesAt(handle, 0, 100)
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const usable = pageSize - header.readUInt8(20)
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || usable < 480) return undefined
  const count = Math.ceil(size / pageSize)
  return {
    count,
    usable,
    read(number) {
      if (number < 1 || number > count) throw notATree
      return bytesAt(handle, (number - 1) * pageSize, pageSize)
    },
  }
}

/** Bytes after the end of the file are 0. */
function bytesAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(handle, bytes, 0, length, at)
  return bytes
}

interface Leaf {
  readonly page: Buffer
  /** Where the cells of the page begin. */
  readonly cells: readonly number[]
}

/** The leaves of a b-tree. Throws if a page is reached twice. */
function* leavesOf(pages: Pages, root: number, seen: Set<number>, withIndexes: boolean): Generator<Leaf> {
  const coming = [root]
  for (let number = coming.pop(); number !== undefined; number = coming.pop()) {
    if (seen.has(number)) throw notATree
    seen.add(number)
    const page = pages.read(number)
    const start = number === 1 ? 100 : 0
    const type = page[start]
    const cells = cellsOf(page, start)
    if (type === interiorTable || (withIndexes && type === interiorIndex)) {
      coming.push(page.readUInt32BE(start + 8))
      for (const cell of cells) coming.push(page.readUInt32BE(cell))
    } else if (type === leafTable || (withIndexes && type === leafIndex)) yield { page, cells }
    else throw notATree
  }
}

function cellsOf(page: Buffer, start: number): number[] {
  const isInterior = page[start] === interiorTable || page[start] === interiorIndex
  const pointers = start + (isInterior ? 12 : 8)
  return Array.from({ length: page.readUInt16BE(start + 3) }, (_, index) => page.readUInt16BE(pointers + 2 * index))
}

/** An integer of 7 bits a byte, the high ones first, and where it ends; the ninth byte has 8 bits. */
function varint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start; ; at++) {
    const byte = bytes.readUInt8(at)
    if (at - start === 8) return { value: Number.POSITIVE_INFINITY, end: at + 1 }
    value = value * 128 + (byte & 127)
    if (byte < 128) return { value, end: at + 1 }
  }
}

/** The record in a cell of a leaf: the beginning is in the cell, the rest in a chain of overflow pages. */
function payloadAt(pages: Pages, page: Buffer, cell: number): Buffer {
  const { value: length, end } = varint(page, cell)
  const start = varint(page, end).end
  const { usable } = pages
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const spilled = least + ((length - least) % (usable - 4))
  const local = length <= usable - 35 ? length : spilled <= usable - 35 ? spilled : least
  const own = page.subarray(start, start + local)
  if (local === length) return own
  const parts = [own]
  let number = page.readUInt32BE(start + local)
  for (let left = length - local; left > 0; left -= usable - 4) {
    const next = pages.read(number)
    parts.push(next.subarray(4, 4 + Math.min(left, usable - 4)))
    number = next.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

/** The first page of what a row of the schema describes, if that is a table of statistics or an index of one. */
function statisticsRoot(record: Buffer): number | undefined {
  const { value: headerLength, end } = varint(record, 0)
  const values: { readonly type: number; readonly bytes: Buffer }[] = []
  let content = headerLength
  for (let at = end; at < headerLength; ) {
    const { value: type, end: next } = varint(record, at)
    const length = type >= 12 ? Math.floor((type - 12) / 2) : (lengths[type] ?? 0)
    values.push({ type, bytes: record.subarray(content, content + length) })
    content += length
    at = next
  }
  const [, name, table, root, statement] = values
  if (![name, table, statement].some(value => value && isOfStatistics(value.bytes))) return undefined
  // SQLite has its own ways to read a root that is not an integer, or missing; its own programs never write one.
  if (!root || root.type < 1 || root.type > 5) throw notATree
  return root.bytes.readUIntBE(0, root.bytes.length)
}

/** Text may be UTF-8 or UTF-16. */
const isOfStatistics = (text: Buffer): boolean => /sqlite_stat/i.test(text.toString('latin1').replaceAll('\0', ''))

/** The lengths of values by their serial type: 0 is NULL, 1 to 6 are integers, 7 is a double, 8 and 9 are the integers 0 and 1. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
