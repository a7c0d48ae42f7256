import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AntiphonError } from '../../core/errors.ts'
import { addressWithoutPassword } from '../address.ts'
import { clearDrafts, draftFor } from '../files/drafts.ts'
import { failureReason, fileError } from '../files/file-error.ts'
import { type Fingerprints, fingerprints, mustBeUnchanged } from '../files/fingerprint.ts'
import { makeFolders } from '../files/make-like-folder.ts'
import { hardLinkNotes, mustHaveNoLinks, realPlace } from '../files/no-links.ts'
import { openRegularFile, readRegularFile } from '../files/regular-file.ts'
import { type AssertUnused, continued, syncFolder } from '../files/swap-file.ts'
import { mustBeFree } from '../in-use.ts'
import { isUrl, peekAt } from '../peek.ts'
import { mayBeCommitted } from '../postgres/connection.ts'
import type { System } from '../system.ts'
import { type Backup, firstNewFile, hashFile, isAsKept, openBackup, readBackup } from './backup.ts'
import type { KeptFile } from './check-manifest.ts'
import { undoCommand } from './commands.ts'
import { exchangeFiles } from './exchange-files.ts'

export interface Restored {
  readonly path: string
  readonly system: string
  /** How many files were restored. */
  readonly files: number
  /** The previous content, if it was different: a backup of its own. */
  readonly kept?: string
  /** Files with several names: a note for each that its other names keep the previous content. */
  readonly notes?: readonly string[]
}

/**
 * Restores a backup, byte for byte: files get the permissions and times they had, and files that did not exist are
 * removed. All copies are checked and written next to their targets before the first is moved into place. For a
 * database server whose password is not in the backup, the caller gives the address. The conversation may have
 * continued since the repair, so the present content is backed up as well. `force` restores even if a program may be
 * using the store. Nothing is written, copied or removed through a link inside the store.
 */
export async function restore(
  backup: string,
  systems: readonly System[],
  address?: string,
  force = false,
): Promise<Restored> {
  const manifest = readBackup(backup)
  mustBeStore(manifest, systems)
  mustMatchAddress(manifest, address)
  const assertUnused = mustNotBeUsed(manifest, systems, force, 'nothing was restored')
  assertUnused()
  const before = fingerprints(manifest.files.map(file => file.path))
  let present = backUpPresent(manifest)
  const notes = hardLinkNotes(manifest.files.flatMap(file => (file.copy === undefined ? [] : [file.path])))
  try {
    const changed = () =>
      fileError(manifest.path, 'it changed meanwhile, so nothing was restored', 'close its program and try again')
    const restored = await putBack(manifest, systems, { known: before, changed, assertUnused }, address, data => {
      present = backUpData(manifest, data)
    })
    return { ...restored, ...(present && { kept: present.folder }), ...(notes.length > 0 && { notes }) }
  } catch (error) {
    if (!present || present.discard({ mayBeCommitted: mayBeCommitted(error) })) throw error
    throw fileError((error as Error).message, `its former content is in ${present.folder}`)
  }
}

/** Undoes a repair that was just made, unless a program has written to the files since: that would be lost. */
export async function undo(backup: string, systems: readonly System[], written: Fingerprints): Promise<void> {
  const manifest = readBackup(backup)
  if (firstNewFile(manifest) !== undefined) throw continued(manifest.path)
  const assertUnused = mustNotBeUsed(manifest, systems, true, 'its repair was not undone')
  await putBack(manifest, systems, {
    known: written,
    changed: () => continued(manifest.path),
    assertUnused,
  })
}

/** The files as they must be until they are replaced, and the error if one is not. */
interface Expected {
  readonly known: Fingerprints
  changed(): Error
  /** Throws if a program uses the files, or their old versions once they were replaced. */
  readonly assertUnused: AssertUnused
}

type ReadBackup = ReturnType<typeof readBackup>

/**
 * A backup may name any place as its store, also one that holds all files of the user, or a link to it. A folder, and a
 * path reached through a link, must be a store of the system that the backup names.
 */
function mustBeStore({ path, files, data, system: id, folder }: ReadBackup, systems: readonly System[]): void {
  const system = systemOf(id, systems)
  if (isUrl(path)) return
  // The database library accepts more forms of an address than `isUrl` does.
  if (data) throw fileError(folder, `it is not a backup of the doctor: ${path} is not the address of a database server`)
  const home = realPlace(path)
  for (const file of files) mustHaveNoLinks(home, file.path)
  const stat = lstatSync(home, { throwIfNoEntry: false })
  if (!stat || (stat.isFile() && home === path)) return
  if (!(stat.isFile() || stat.isDirectory()) || !system.recognises(peekAt(home)))
    throw fileError(folder, `it is not a backup of the doctor: ${path} is not a store of ${system.title}`)
}

/** The place that the backup names must be the one that the caller wants to restore, and must not have been continued since. */
function mustMatchAddress(manifest: ReadBackup, address: string | undefined): void {
  const { path, files } = manifest
  // A connection may send the server a password from the environment, and the backup may come from anyone.
  if (isUrl(path) && address === undefined && !isInEnvironment(path))
    throw fileError(
      path,
      'this database server was named only by the backup, not by DATABASE_URL, so no connection was made',
      `if it is yours, give its address: ${undoCommand(manifest.folder, path)}`,
    )
  const meant = address === undefined ? path : isUrl(address) ? addressWithoutPassword(address) : resolve(address)
  if (meant !== path)
    throw fileError(meant, `this is not what was backed up: the backup is of ${path}`, 'nothing was restored')
  for (const folder of new Set(files.map(file => dirname(file.path)))) if (existsSync(folder)) clearDrafts(folder)
  const since = firstNewFile(manifest)
  if (since !== undefined)
    throw fileError(
      path,
      `it was continued after its repair, with ${basename(since)}, so nothing was restored`,
      'restoring would lose what was written since; the earlier files are in the backup folder',
    )
}

function isInEnvironment(path: string): boolean {
  const { DATABASE_URL = '' } = process.env
  return isUrl(DATABASE_URL) && addressWithoutPassword(DATABASE_URL) === path
}

/** Restores nothing while a program is using the store. */
function mustNotBeUsed(
  { path, files, system: id }: ReadBackup,
  systems: readonly System[],
  force: boolean,
  outcome: string,
): AssertUnused {
  const system = systemOf(id, systems)
  const asked = { system, place: path, files: files.map(file => file.path), isShared: false, now: Date.now() }
  return (...replaced) => mustBeFree({ ...asked, replaced }, path, force, outcome)
}

function backUpPresent({ folder, files, system, path }: ReadBackup): Backup | undefined {
  if (files.every(file => isAsKept(file) || !existsSync(file.path))) return undefined
  const present = openBackup(dirname(resolve(folder)), system, path, Date.now())
  try {
    for (const file of files) present.addFile(file.path)
    present.close()
    return present
  } catch (error) {
    present.discard()
    throw fileError(path, `the present content cannot be backed up: ${failureReason(error)}`, 'nothing was restored')
  }
}

/** Backs up data that is not a file, for a store that has no files. */
function backUpData({ folder, system, path }: ReadBackup, data: Uint8Array): Backup {
  const present = openBackup(dirname(resolve(folder)), system, path, Date.now())
  try {
    present.addData(data)
    present.close()
    return present
  } catch (error) {
    present.discard()
    throw fileError(path, `the present content cannot be backed up: ${failureReason(error)}`, 'nothing was restored')
  }
}

async function putBack(
  { folder, files, data, system, path }: ReadBackup,
  systems: readonly System[],
  { known, changed, assertUnused }: Expected,
  address?: string,
  keep: (present: Uint8Array) => void = () => {},
): Promise<Restored> {
  const drafts: { readonly draft: string; readonly path: string }[] = []
  const home = isUrl(path) ? path : realPlace(path)
  try {
    for (const file of files) {
      if (file.copy === undefined) continue
      mustHaveNoLinks(home, file.path)
      makeFolders(dirname(file.path))
      mustHaveNoLinks(home, file.path)
      drafts.push({ draft: draftFor(file.path), path: file.path })
      fill(draftFor(file.path), file, join(folder, file.copy))
    }
    assertUnused()
    mustBeUnchanged(known, changed)
    // The log of a database is removed first: with another version of its file, it would damage it.
    const removed = files.filter(({ copy }) => copy === undefined).map(({ path }) => ({ path }))
    exchangeFiles([...removed, ...drafts], known, changed, path => mustHaveNoLinks(home, path), assertUnused)
    for (const place of new Set(files.map(file => dirname(file.path)))) syncFolder(place)
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true })
    throw AntiphonError.is(error) ? error : fileError(path, `it cannot be restored: ${failureReason(error)}`)
  }
  if (data) await systemOf(system, systems).restore?.(readRegularFile(join(folder, data.copy)), address ?? path, keep)
  return { path, system, files: drafts.length }
}

/**
 * Writes a copy next to its target, with the permissions and times of the original. The owner of a file that is there stays, and nobody else can read or
 * write more than now, whatever the backup says.
 */
function fill(draft: string, file: KeptFile, copy: string): void {
  const { path, mode, accessedMs, modifiedMs, sha256 } = file
  rmSync(draft, { force: true })
  const present = lstatSync(path, { throwIfNoEntry: false })
  const { uid, gid } = present ?? file
  const handle = openSync(draft, 'wx', 0o600)
  try {
    copyInto(handle, copy)
    if (uid !== undefined && gid !== undefined) changeOwner(handle, uid, gid)
    if (mode !== undefined) fchmodSync(handle, mode & (present ? present.mode | 0o700 : 0o777) & 0o777)
    if (accessedMs !== undefined && modifiedMs !== undefined) futimesSync(handle, accessedMs / 1000, modifiedMs / 1000)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (hashFile(draft) !== sha256)
    throw fileError(path, 'the copy of it differs from the original', 'nothing was restored')
}

function copyInto(handle: number, copy: string): void {
  const from = openRegularFile(copy)
  try {
    const block = Buffer.allocUnsafe(1024 * 1024)
    for (let length = readSync(from, block); length > 0; length = readSync(from, block))
      for (let at = 0; at < length; ) at += writeSync(handle, block, at, length - at)
  } finally {
    closeSync(from)
  }
}

function changeOwner(handle: number, uid: number, gid: number): void {
  try {
    fchownSync(handle, uid, gid)
  } catch {
    // Only a superuser can change the owner of a file; the permissions are set anyway.
  }
}

function systemOf(id: string, systems: readonly System[]): System {
  const system = systems.find(one => one.id === id)
  if (!system) throw fileError('the backup', `unknown system "${id}"`, 'update antiphon')
  return system
}
