import { closeSync, fstatSync, readSync } from 'node:fs'
import { unreadable } from '../../files/file-error.ts'
import { openRegularFile } from '../../files/regular-file.ts'

/** The bytes from `start` up to `end`. */
export interface Frame {
  readonly start: number
  readonly end: number
}

/**
 * The frames of a file that is packed with zstd. Behind each other they are one text, but Node unpacks the first and passes
 * over the rest. Only their headers and those of their blocks are read (RFC 8878, section 3).
 */
export function framesOf(path: string): Frame[] {
  const handle = openRegularFile(path)
  const { size } = fstatSync(handle)
  const frames: Frame[] = []
  try {
    for (let start = 0; start < size; ) {
      const end = endOf(start, size, (at, length) => bytesAt(handle, at, length))
      if (end > size) throw damaged(path)
      frames.push({ start, end })
      start = end
    }
    return frames
  } finally {
    closeSync(handle)
  }
}

export const damaged = (path: string): Error => unreadable(path, 'it is damaged, and cannot be unpacked')

/** Bytes behind the end of the file are 0. */
function bytesAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(handle, bytes, 0, length, at)
  return bytes
}

/** Where a frame ends; behind the file if something is missing, or if it is none. */
function endOf(start: number, size: number, read: (at: number, length: number) => Buffer): number {
  const head = read(start, 8)
  const magic = head.readUInt32LE(0)
  if ((magic & 0xfffffff0) >>> 0 === skippableMagic) return start + 8 + head.readUInt32LE(4)
  if (magic !== frameMagic) return Number.POSITIVE_INFINITY
  const flags = head[4]
  const isSingle = (flags & 0x20) !== 0
  const sizeBytes = flags >> 6 === 0 ? (isSingle ? 1 : 0) : 1 << (flags >> 6)
  let at = start + 5 + (isSingle ? 0 : 1) + dictionaryBytes[flags & 3] + sizeBytes
  for (let isLast = false; !isLast; ) {
    if (at >= size) return Number.POSITIVE_INFINITY
    const block = read(at, 3).readUIntLE(0, 3)
    isLast = (block & 1) !== 0
    at += 3 + (((block >> 1) & 3) === repeatedType ? 1 : block >> 3)
  }
  return (flags & 4) === 0 ? at : at + 4
}

const frameMagic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const dictionaryBytes = [0, 1, 2, 4]
/** A block that says one byte, many times. */
const repeatedType = 1
