import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { unreadable } from './file-error.ts'

/**
 * Opens a file of a store or of a backup to read it. To open a FIFO waits for a writer, and to read a device may never end: so it is
 * opened without waiting, and refused unless it is a regular file. Nothing else in the doctor opens a file to read it.
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

/** Windows has no such flag, and no FIFO in a folder. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

export function readRegularFile(path: string): Buffer {
  const handle = openRegularFile(path)
  try {
    return readFileSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** For what opens a file itself, such as SQLite or a copy. A path that does not exist is fine. */
export function mustBeRegularFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat) mustBeRegular(stat, path)
}

function mustBeRegular(stat: Stats, path: string): void {
  if (!stat.isFile()) throw unreadable(path, stat.isDirectory() ? 'it is a directory' : 'it is not a regular file')
}
