import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { failureReason, fileError } from './file-error.ts'
import { readRegularFile } from './regular-file.ts'
import { syncFolder } from './swap-file.ts'

/**
 * Replaces a file atomically, and keeps the previous one as a backup, whose path it returns. A symbolic link stays one.
 * Throws, and leaves the file as it was, if it is not the version that was read.
 */
export function replaceFileWithBackup(file: string, before: Buffer, after: Buffer): string {
  let draft: string | undefined
  try {
    const path = lstatSync(file).isSymbolicLink() ? realpathSync(file) : file
    const owner = mustBeOurs(path, file)
    draft = join(dirname(path), `.${basename(path)}.${process.pid}.antiphon`)
    rmSync(draft, { force: true })
    writeThrough(draft, after, owner)
    if (!readRegularFile(path).equals(before))
      throw fileError(file, 'it changed during the repair, so it was left as it is', 'try again')
    const backup = keep(path)
    rename(draft, path, backup)
    syncFolder(dirname(path))
    return backup
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true })
    if ((error as { code?: string }).code === 'unreadable') throw error
    throw fileError(file, `it cannot be replaced: ${failureReason(error)}`, 'nothing was changed')
  }
}

interface Owner {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

function mustBeOurs(path: string, file: string): Owner {
  const stat = statSync(path)
  if (!stat.isFile()) throw fileError(file, 'it is not a regular file, so it cannot be replaced')
  accessSync(path, constants.W_OK)
  return stat
}

function writeThrough(path: string, bytes: Buffer, { mode, uid, gid }: Owner): void {
  const handle = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(handle, bytes)
    try {
      fchownSync(handle, uid, gid)
    } catch {
      // Only a superuser can change the owner of a file; the mode is set anyway.
    }
    fchmodSync(handle, mode & 0o7777)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The backup is the old file itself under a second name, so it is complete at once and never overwrites another. */
function keep(path: string): string {
  for (let number = 0; ; number++) {
    const backup = `${path}.bak${number === 0 ? '' : `.${number}`}`
    try {
      linkOrCopy(path, backup)
      return backup
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
}

function linkOrCopy(path: string, backup: string): void {
  try {
    linkSync(path, backup)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') throw error
    copyFileSync(path, backup, constants.COPYFILE_EXCL)
  }
}

function rename(draft: string, path: string, backup: string): void {
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(backup, { force: true })
    throw error
  }
}
