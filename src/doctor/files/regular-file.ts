import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fileError } from './file-error.ts'

/**
 * Opens a file of a store or of a backup for reading. Opening a FIFO would wait for a writer, and reading a device may
 * never end: so it is opened without waiting, and must be a regular file. Nothing else in the doctor opens a file for
 * reading.
 */
export function openRegularFile(path: string): number {
  const handle = openSync(path, constants.O_RDONLY | withoutWaiting)
  try {
    mustBeRegular(fstatSync(handle), path)
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

/** Windows has no such flag, and no FIFOs in folders. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

export function readRegularFile(path: string): Buffer {
  const handle = openRegularFile(path)
  try {
    return readFileSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** For code that opens the file itself, such as SQLite or a copy. A missing path is allowed. */
export function mustBeRegularFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat) mustBeRegular(stat, path)
}

/**
 * Copies a file. A sparse file of a few bytes can claim terabytes: holes stay holes, and a file that is almost only
 * holes, or does not fit on the disk, is refused.
 */
export function copyRegularFile(path: string, copy: string): void {
  const from = openRegularFile(path)
  try {
    const { size, blocks } = fstatSync(from)
    // Windows does not report how much of it is on the disk.
    const filled = Math.min(size, (blocks ?? Number.POSITIVE_INFINITY) * 512)
    if (size > hollowMin && size > hollowFold * filled)
      throw fileError(path, 'it is almost nothing but holes (a sparse file), so it was not copied')
    const disk = statfsSync(dirname(copy))
    // Some file systems report nothing about themselves.
    if (disk.blocks > 0 && filled > disk.bavail * disk.bsize)
      throw fileError(path, `there is no space left for a copy of it in ${dirname(copy)}`)
    if (filled === size) copyFileSync(path, copy, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    else if (!isCloned(path, copy)) copyWithHoles(from, copy, size)
  } finally {
    closeSync(from)
  }
}

const hollowMin = 1024 ** 3
const hollowFold = 100

/** Some file systems copy a file without copying its bytes. */
function isCloned(path: string, copy: string): boolean {
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOSPC', 'EACCES'].includes((error as { code?: string }).code ?? '')) throw error
    return false
  }
}

function copyWithHoles(from: number, copy: string, size: number): void {
  const to = openSync(copy, 'wx', 0o600)
  try {
    const block = Buffer.allocUnsafe(blockBytes)
    let at = 0
    for (let length = readSync(from, block, 0, blockBytes, 0); length > 0; ) {
      if (!zeros.subarray(0, length).equals(block.subarray(0, length)))
        for (let done = 0; done < length; ) done += writeSync(to, block, done, length - done, at + done)
      at += length
      length = readSync(from, block, 0, blockBytes, at)
    }
    ftruncateSync(to, Math.max(at, size))
  } finally {
    closeSync(to)
  }
}

const blockBytes = 64 * 1024
const zeros = Buffer.alloc(blockBytes)

function mustBeRegular(stat: Stats, path: string): void {
  if (!stat.isFile()) throw fileError(path, stat.isDirectory() ? 'it is a directory' : 'it is not a regular file')
}
