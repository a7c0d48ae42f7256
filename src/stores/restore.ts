import {
  closeSync,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AntiphonError } from '../errors.ts'
import { syncFolder } from '../files/swap-file.ts'
import { writersOf } from '../files/writers-of.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { placeOf } from './address.ts'
import { hashFile, type KeptFile, readBackup } from './backup.ts'
import type { System } from './system.ts'

export interface Restored {
  readonly path: string
  readonly system: string
  /** How many files were put back. */
  readonly files: number
}

/**
 * Puts back what a backup holds, byte for byte: files that were there with the rights and times they had, and files that
 * were not there are removed. All copies are checked and written beside their places before the first is moved there. A
 * database server whose password the backup does not hold is named by its address.
 */
export async function restore(backup: string, systems: readonly System[], address?: string): Promise<Restored> {
  const manifest = readBackup(backup)
  const { folder, files, data, system, path } = manifest
  if (address !== undefined && placeOf(address) !== path)
    throw unreadable(placeOf(address), `the backup is not one of it, but of ${path}`, 'nothing was restored')
  const [writer] = writersOf(new Set(files.map(file => file.path)))
  if (writer !== undefined)
    throw unreadable(
      path,
      `process ${writer} has it open for writing, so nothing was restored`,
      'close it and try again',
    )
  const drafts: { readonly draft: string; readonly path: string }[] = []
  try {
    for (const file of files) if (file.copy !== undefined) drafts.push(draftOf(file, join(folder, file.copy)))
    for (const { draft, path } of drafts) renameSync(draft, path)
    for (const { copy, path } of files) if (copy === undefined) rmSync(path, { force: true })
    for (const place of new Set(files.map(file => dirname(file.path)))) syncFolder(place)
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true })
    throw AntiphonError.is(error) ? error : unreadable(path, `it cannot be restored: ${reasonOf(error)}`)
  }
  if (data) await systemOf(system, systems).restore?.(readFileSync(join(folder, data.copy)), address ?? path)
  return { path, system, files: drafts.length }
}

function draftOf(
  { path, mode, accessedMs, modifiedMs, sha256 }: KeptFile,
  copy: string,
): { draft: string; path: string } {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.antiphon`)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(copy, draft)
  const handle = openSync(draft, 'r+')
  try {
    if (mode !== undefined) fchmodSync(handle, mode)
    if (accessedMs !== undefined && modifiedMs !== undefined) futimesSync(handle, accessedMs / 1000, modifiedMs / 1000)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (hashFile(draft) !== sha256) throw unreadable(path, 'the copy of it came out wrong', 'nothing was restored')
  return { draft, path }
}

function systemOf(id: string, systems: readonly System[]): System {
  const system = systems.find(one => one.id === id)
  if (!system) throw unreadable(id, 'this system is not known')
  return system
}
