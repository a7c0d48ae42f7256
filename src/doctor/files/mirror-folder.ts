import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { openRegularFile } from './regular-file.ts'
import { copyOwnerAndTimes } from './swap-file.ts'

/** The same files in another folder, as hard links where the file system supports them. */
export function mirror(from: string, to: string, wanted: (name: string) => boolean): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, fresh] = [join(from, entry.name), join(to, entry.name)]
    if (!wanted(entry.name)) continue
    if (entry.isDirectory()) {
      mkdirSync(fresh)
      mirror(old, fresh, () => true)
      setOwnerAndTimes(fresh, old)
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), fresh)
    else if (entry.isFile()) link(old, fresh)
    // A FIFO, a socket or a device, which cannot be copied.
    else linkSync(old, fresh)
  }
}

/** The same file under another name; a copy where the file system has no hard links. */
export function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    setOwnerAndTimes(to, from)
  }
}

/** Gives a file or a folder the owner, permissions and times of another. */
export function setOwnerAndTimes(path: string, like: string): void {
  const folder = statSync(path).isDirectory() ? path : undefined
  const handle = folder === undefined ? openRegularFile(path) : openSync(folder, 'r')
  try {
    copyOwnerAndTimes(handle, like)
  } finally {
    closeSync(handle)
  }
}

/** A new file with the owner, permissions and times of another. */
export function writeLike(path: string, text: string, like: string): void {
  const bytes = Buffer.from(text)
  const handle = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    copyOwnerAndTimes(handle, like)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
