import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { failureReason, fileError } from '../files/file-error.ts'
import { realPlace, restBelow } from '../files/no-links.ts'
import { copyRegularFile, openRegularFile, readRegularFile } from '../files/regular-file.ts'
import { syncFolder } from '../files/swap-file.ts'
import { checkManifest, isRegular, type KeptFile, type KeptFolder, type Manifest } from './check-manifest.ts'

/** A store as it was before a repair: copies of its files in a folder, with a manifest. */
export interface Backup {
  readonly folder: string
  /** Copies a file as it is now, and checks the copy. A file that does not exist is recorded as missing. */
  addFile(path: string): void
  /** Adds data that is not a file. */
  addData(data: Uint8Array): void
  /** Writes the manifest, which makes the folder a valid backup. */
  close(): void
  /** Removes the backup if the files are unchanged, and the data too, as far as is known. Returns whether it did. */
  discard(changes?: { readonly mayBeCommitted: boolean }): boolean
}

export const manifestName = 'backup.json'

/** Begins a backup of a store in a new folder under `root`. */
export function openBackup(root: string, system: string, path: string, now: number): Backup {
  const folder = newFolder(root, `${new Date(now).toISOString().replace(/[:.]/g, '-')}-${system}`)
  const files: KeptFile[] = []
  const known = new Set<string>()
  let data: Manifest['data']
  let isComplete = false
  return {
    folder,
    addFile(file) {
      const whole = realPlace(file)
      if (known.has(whole)) return
      known.add(whole)
      files.push(copyOf(whole, folder, files.length))
    },
    addData(bytes) {
      const copy = 'data'
      writeThrough(join(folder, copy), bytes)
      data = { copy, sha256: hash(bytes) }
      if (hashFile(join(folder, copy)) !== data.sha256)
        throw fileError(join(folder, copy), 'this copy differs from the original')
    },
    close() {
      const made = new Date(now).toISOString()
      const folders = foldersOf(files, path)
      const manifest: Manifest = { antiphon: 1, system, path, made, files, folders, ...(data ? { data } : {}) }
      const draft = join(folder, `${manifestName}.new`)
      writeThrough(draft, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      renameSync(draft, join(folder, manifestName))
      syncFolder(folder)
      isComplete = true
    },
    discard(changes) {
      if (isComplete && (changes?.mayBeCommitted || !files.every(isAsKept))) return false
      rmSync(folder, { recursive: true, force: true })
      return true
    },
  }
}

/** Whether a folder is a backup, or an incomplete one: it holds copies of stores, which are not stores themselves. */
export const isBackup = (folder: string): boolean =>
  backupName.test(basename(folder)) || /^\s*\{\s*"antiphon":/.test(headOf(join(folder, manifestName)))

const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[a-z-]+(-\d+)?$/

function headOf(path: string): string {
  try {
    const handle = openRegularFile(path)
    try {
      const head = Buffer.alloc(64)
      return head.subarray(0, readSync(handle, head)).toString()
    } finally {
      closeSync(handle)
    }
  } catch {
    return ''
  }
}

/** Whether a file is still the same as when it was backed up. */
export const isAsKept = ({ path, copy, sha256 }: KeptFile): boolean =>
  copy === undefined ? !existsSync(path) : existsSync(path) && hashFile(path) === sha256

/** The folders of the files in a store that is a folder. */
function foldersOf(files: readonly KeptFile[], store: string): KeptFolder[] {
  const inside = realPlace(store)
  const paths = new Set(files.map(file => dirname(file.path)))
  return [...paths].filter(path => restBelow(inside, path) !== undefined).map(path => ({ path, names: namesIn(path) }))
}

/** The first file that was added to the folders of a store after this backup was made. */
export function firstNewFile({ files, folders = [] }: Manifest): string | undefined {
  const known = new Set(files.map(({ path }) => path))
  for (const { path, names } of folders) {
    const old = new Set(names)
    const name = namesIn(path).find(name => !old.has(name) && !known.has(join(path, name)))
    if (name !== undefined) return join(path, name)
  }
  return undefined
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

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
  const copy = String(number).padStart(6, '0')
  const { size, mode, uid, gid, atimeMs, mtimeMs } = statSync(path)
  const target = join(folder, copy)
  copyRegularFile(path, target)
  const sha256 = hashFile(target)
  if (sha256 !== hashFile(path))
    throw fileError(
      path,
      'its backup copy differs from it, so the file was not changed',
      'if its program runs, close it and try again; if not, the disk may be faulty',
    )
  sync(target)
  return { path, copy, size, sha256, mode: mode & 0o7777, uid, gid, accessedMs: atimeMs, modifiedMs: mtimeMs }
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The hash of a file. The file may be larger than memory. */
export function hashFile(path: string): string {
  const sum = createHash('sha256')
  const handle = openRegularFile(path)
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

const hashIfThere = (path: string): string | undefined => (existsSync(path) ? hashFile(path) : undefined)

function sync(path: string): void {
  const handle = openRegularFile(path)
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

/**
 * Reads the manifest of a backup and checks every copy. Throws a one-line error if it is not a backup, or is damaged.
 */
export function readBackup(path: string): Manifest & { readonly folder: string } {
  const folder = path.endsWith(manifestName) ? dirname(path) : path
  if (!isRegular(folder, manifestName))
    throw fileError(path, `it is not a backup of the doctor: its ${manifestName} is not a regular file`)
  let list: unknown
  try {
    list = JSON.parse(readRegularFile(join(folder, manifestName)).toString())
  } catch (error) {
    // The message of a syntax error quotes the file.
    const reason = error instanceof SyntaxError ? `its ${manifestName} is not JSON` : failureReason(error)
    throw fileError(
      path,
      `it is not a backup: ${reason}`,
      `--restore takes a backup folder, which contains a ${manifestName}`,
    )
  }
  const manifest = checkManifest(list, folder)
  for (const { copy, sha256 } of [...manifest.files, ...(manifest.data ? [manifest.data] : [])]) {
    if (copy !== undefined && hashIfThere(join(folder, copy)) !== sha256)
      throw fileError(join(folder, copy), 'this copy is damaged', 'nothing was restored')
  }
  return { ...manifest, folder }
}
