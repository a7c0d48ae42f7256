import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncFolder } from '../files/swap-file.ts'
import { reasonOf, unreadable } from '../unreadable.ts'

/** What a store was before it was healed: copies of its files in a folder, with a list of them. */
export interface Backup {
  readonly folder: string
  /** Copies a file as it is now, and checks the copy. A file that does not exist is noted as such. */
  addFile(path: string): void
  /** Adds what is no file. */
  addData(data: Uint8Array): void
  /** Writes the list; only then it is a backup. */
  close(): void
  /** Removes it again, when nothing was changed after all. */
  discard(): void
}

/** The list of a backup, as it is written. */
export interface Manifest {
  readonly antiphon: 1
  readonly system: string
  readonly path: string
  readonly made: string
  readonly files: readonly KeptFile[]
  /** The file beside the list that holds what is no file. */
  readonly data?: { readonly copy: string; readonly sha256: string }
}

export interface KeptFile {
  readonly path: string
  /** The name of the copy; absent if there was no such file. */
  readonly copy?: string
  readonly size?: number
  readonly sha256?: string
  readonly mode?: number
  readonly accessedMs?: number
  readonly modifiedMs?: number
}

export const manifestName = 'backup.json'

/** Begins a backup of a store in a new folder under `root`. */
export function openBackup(root: string, system: string, path: string, now: number): Backup {
  const folder = newFolder(root, `${new Date(now).toISOString().replace(/[:.]/g, '-')}-${system}`)
  const files: KeptFile[] = []
  const known = new Set<string>()
  let data: Manifest['data']
  return {
    folder,
    addFile(file) {
      const whole = resolve(file)
      if (known.has(whole)) return
      known.add(whole)
      files.push(copyOf(whole, folder, files.length))
    },
    addData(bytes) {
      const copy = 'data'
      writeThrough(join(folder, copy), bytes)
      data = { copy, sha256: hash(bytes) }
    },
    close() {
      const made = new Date(now).toISOString()
      const manifest: Manifest = { antiphon: 1, system, path, made, files, ...(data ? { data } : {}) }
      const draft = join(folder, `${manifestName}.new`)
      writeThrough(draft, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      renameSync(draft, join(folder, manifestName))
      syncFolder(folder)
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function newFolder(root: string, name: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (let number = 0; ; number++) {
    const folder = join(root, number === 0 ? name : `${name}-${number}`)
    try {
      mkdirSync(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
}

function copyOf(path: string, folder: string, number: number): KeptFile {
  if (!existsSync(path)) return { path }
  if (!lstatSync(path).isFile() && !statSync(path).isFile()) throw unreadable(path, 'it is no regular file')
  const copy = String(number).padStart(6, '0')
  const { size, mode, atimeMs, mtimeMs } = statSync(path)
  const target = join(folder, copy)
  copyFileSync(path, target, constants.COPYFILE_FICLONE)
  const sha256 = hashFile(target)
  if (sha256 !== hashFile(path))
    throw unreadable(path, 'it changed while it was being copied', 'close its program and try again')
  sync(target)
  return { path, copy, size, sha256, mode: mode & 0o7777, accessedMs: atimeMs, modifiedMs: mtimeMs }
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The hash of a file, which may be larger than memory. */
export function hashFile(path: string): string {
  const sum = createHash('sha256')
  const handle = openSync(path, 'r')
  try {
    const block = Buffer.allocUnsafe(1024 * 1024)
    for (let length = 1; length > 0; ) {
      length = readSync(handle, block, 0, block.length, null)
      sum.update(block.subarray(0, length))
    }
  } finally {
    closeSync(handle)
  }
  return sum.digest('hex')
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function writeThrough(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' })
  sync(path)
}

/** Reads the list of a backup and checks every copy. Throws in one clear line if it is none, or is damaged. */
export function readBackup(path: string): Manifest & { readonly folder: string } {
  const folder = path.endsWith(manifestName) ? dirname(path) : path
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'))
  } catch (error) {
    throw unreadable(path, `it is no backup: ${reasonOf(error)}`, `it takes a folder with a ${manifestName} in it`)
  }
  if (manifest?.antiphon !== 1 || !Array.isArray(manifest.files))
    throw unreadable(path, 'it is no backup of the doctor')
  for (const { copy, sha256 } of [...manifest.files, ...(manifest.data ? [manifest.data] : [])]) {
    if (copy !== undefined && hashFile(join(folder, copy)) !== sha256)
      throw unreadable(join(folder, copy), 'this copy is damaged', 'nothing was restored')
  }
  return { ...manifest, folder }
}
