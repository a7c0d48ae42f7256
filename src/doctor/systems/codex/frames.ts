import { closeSync, fstatSync, readSync } from 'node:fs'
import { fileError } from '../../files/file-error.ts'
import { openRegularFile } from '../../files/regular-file.ts'

/** The bytes from `start` up to `end`. */
export interface Frame {
  readonly start: number
  readonly end: number
}

/**
 * The frames of a file that is compressed with zstd. Together they are one text, but Node decompresses only the first.
 * Only the headers of frames and blocks are read (RFC 8878, section 3).
 */
export function framesOf(path: string): Frame[] {
  const handle = openRegularFile(path)
  const { size } = fstatSync(handle)
  const frames: Frame[] = []
  let left = windowsFree + windowsPerByte * size
  try {
    for (let start = 0; start < size; ) {
      const { end, window } = readFrame(start, size, (at, length) => bytesAt(handle, at, length))
      if (end > size) throw damaged(path)
      left -= Math.max(window, frameCost)
      if (left < 0)
        throw fileError(
          path,
          'its compressed frames request far more memory than their size justifies (a decompression bomb?), so it was not read',
        )
      frames.push({ start, end })
      start = end
    }
    return frames
  } finally {
    closeSync(handle)
  }
}

/**
 * A frame of 9 bytes can request a window of 128 MB, and decompressing it costs as much. So the windows of all frames
 * together are bounded by the length of the file, plus what a file of any length may request.
 */
const windowsFree = 256 * 1024 * 1024
const windowsPerByte = 1000
/** The cost of decompressing a frame of any window. */
const frameCost = 256 * 1024

export const damaged = (path: string): Error => fileError(path, 'it is damaged, and cannot be unpacked')

/** Bytes after the end of the file are 0. */
function bytesAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(handle, bytes, 0, length, at)
  return bytes
}

/** Where a frame ends, and its window; it ends after the file if something is missing, or if it is not a frame. */
function readFrame(
  start: number,
  size: number,
  read: (at: number, length: number) => Buffer,
): { readonly end: number; readonly window: number } {
  const head = read(start, 18)
  const magic = head.readUInt32LE(0)
  if ((magic & 0xfffffff0) >>> 0 === skippableMagic) return { end: start + 8 + head.readUInt32LE(4), window: 0 }
  if (magic !== frameMagic) return { end: Number.POSITIVE_INFINITY, window: 0 }
  const flags = head.readUInt8(4)
  const isSingle = (flags & 0x20) !== 0
  const sizeBytes = flags >> 6 === 0 ? (isSingle ? 1 : 0) : 1 << (flags >> 6)
  const sizeAt = 5 + (isSingle ? 0 : 1) + (dictionaryBytes[flags & 3] ?? 0)
  const window = isSingle ? contentSizeAt(head, sizeAt, sizeBytes) : windowOf(head.readUInt8(5))
  let at = start + sizeAt + sizeBytes
  for (let isLast = false; !isLast; ) {
    if (at >= size) return { end: Number.POSITIVE_INFINITY, window }
    const block = read(at, 3).readUIntLE(0, 3)
    isLast = (block & 1) !== 0
    at += 3 + (((block >> 1) & 3) === repeatedType ? 1 : block >> 3)
  }
  return { end: (flags & 4) === 0 ? at : at + 4, window }
}

/** A power of two of at least 1 KB, plus eighths of it. */
const windowOf = (descriptor: number): number => 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)

/** A frame without a window descriptor has a window as long as its content. */
const contentSizeAt = (head: Buffer, at: number, bytes: number): number =>
  bytes === 8
    ? Number(head.readBigUInt64LE(at))
    : bytes === 2
      ? head.readUInt16LE(at) + 256
      : head.readUIntLE(at, bytes)

const frameMagic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const dictionaryBytes = [0, 1, 2, 4]
/** A block that repeats one byte. */
const repeatedType = 1
