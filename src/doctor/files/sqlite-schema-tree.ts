import { closeSync, fstatSync, readSync } from 'node:fs'
import { unreadable } from './file-error.ts'
import { openRegularFile } from './regular-file.ts'

/** Whether the first bytes of a file are those of an SQLite database. */
export const isSqlite = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 16)).toString('latin1') === magic

const magic = 'SQLite format 3\0'

/**
 * Throws unless the pages that hold the schema of an SQLite file are a tree, with statements of a sane length. SQLite reads all of the
 * schema before it does anything that it is asked for, and pages that lead to each other again and again keep it busy for ever
 * (https://www.sqlite.org/fileformat2.html#b_tree_pages). What is in a write-ahead log is not looked at.
 */
export function mustHaveSoundSchema(path: string, shown = path): void {
  const handle = openRegularFile(path)
  try {
    const { size } = fstatSync(handle)
    if (size === 0) return
    const header = bytesAt(handle, 0, 100)
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) throw damaged(shown)
    const seen = new Set<number>()
    const coming = [1]
    let left = Math.min(size, schemaBytesMax)
    for (let number = coming.pop(); number !== undefined; number = coming.pop()) {
      if (seen.has(number) || number < 1 || (number - 1) * pageSize >= size) throw damaged(shown)
      seen.add(number)
      const page = bytesAt(handle, (number - 1) * pageSize, pageSize)
      const start = number === 1 ? 100 : 0
      const cells = cellsOf(page, start)
      if (page[start] === interiorTable) {
        coming.push(page.readUInt32BE(start + 8))
        for (const cell of cells) coming.push(page.readUInt32BE(cell))
      } else if (page[start] === leafTable) for (const cell of cells) left -= lengthAt(page, cell)
      else throw damaged(shown)
      if (left < 0) throw unreadable(shown, 'its schema is longer than the file, so it was not read')
    }
  } catch (error) {
    if (error instanceof RangeError) throw damaged(shown)
    throw error
  } finally {
    closeSync(handle)
  }
}

const damaged = (path: string): Error => unreadable(path, 'the database is damaged: its schema cannot be read')

const interiorTable = 5
const leafTable = 13
const schemaBytesMax = 64 * 1024 * 1024

/** Bytes after the end of the file are 0. */
function bytesAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(handle, bytes, 0, length, at)
  return bytes
}

/** Where the cells of a page begin. */
function cellsOf(page: Buffer, start: number): number[] {
  const pointers = start + (page[start] === interiorTable ? 12 : 8)
  return Array.from({ length: page.readUInt16BE(start + 3) }, (_, index) => page.readUInt16BE(pointers + 2 * index))
}

/** The length of what a cell of a leaf holds: an integer of 7 bits a byte, the first ones first. */
function lengthAt(page: Buffer, cell: number): number {
  let length = 0
  for (let at = cell; ; at++) {
    const byte = page.readUInt8(at)
    length = length * 128 + (byte & 127)
    if (byte < 128) return length
    if (at - cell >= 8) return Number.POSITIVE_INFINITY
  }
}
