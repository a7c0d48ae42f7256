import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  futimesSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { draftOf, keptNameOf } from './drafts.ts'
import { failureReason, fileError } from './file-error.ts'
import { type Fingerprint, fingerprint, isSameFile } from './fingerprint.ts'
import { isOpenElsewhere } from './processes/processes.ts'

/** Throws if a program has started to use what is about to be replaced, or the old versions of what was just replaced. */
export type AssertUnused = (...replaced: string[]) => void

/**
 * Replaces a file atomically, keeping owner, permissions and times. Throws, and leaves the file as it was, if it no
 * longer has this fingerprint, or was written to meanwhile. A symbolic link stays one.
 */
export async function swapFile(
  file: string,
  before: Fingerprint,
  blocks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  assertUnused: AssertUnused | undefined,
): Promise<void> {
  let draft: string | undefined
  try {
    const path = realpathSync(file)
    mustBeWritable(path, file)
    draft = draftOf(path)
    await writeThrough(draft, blocks, path)
    assertUnused?.()
    if (!isSameFile(fingerprint(path), before)) throw changed(file)
    exchange(draft, path, before, file, assertUnused)
    syncFolder(dirname(path))
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true })
    if ((error as { code?: string }).code === 'unreadable') throw error
    throw fileError(file, `it cannot be replaced: ${failureReason(error)}`, 'nothing was changed')
  }
}

const changed = (file: string): Error =>
  fileError(file, 'it changed during the repair, so it was left as it is', 'close its program and try again')

/**
 * Moves the draft into place. If a program wrote to the old file at the last moment, or has it open, the old file is
 * restored.
 */
function exchange(
  draft: string,
  path: string,
  before: Fingerprint,
  file: string,
  assertUnused: AssertUnused | undefined,
): void {
  const old = `${draft}-old`
  rmSync(old, { force: true })
  const written = fingerprint(draft)
  const isWatched = linkIfPossible(path, old)
  try {
    // A program may have put another file in its place before the link was made: that one has no copy.
    if (!isSameFile(fingerprint(path), before)) throw changed(file)
    renameSync(draft, path)
    if (!isWatched) return
    try {
      assertUnused?.(old)
      if (!isSameFile(fingerprint(old), before)) throw changed(file)
    } catch (error) {
      throw takeBack({ path, old, before, written }, file) ?? error
    }
  } finally {
    rmSync(old, { force: true })
  }
}

/** A file that was replaced: its old version has another name now. */
interface ReplacedFile {
  readonly path: string
  readonly old: string
  readonly before: Fingerprint
  /** The version that replaced it; undefined if the file was removed. */
  readonly written: Fingerprint | undefined
}

/**
 * Gives the old version its name again. If a program has written to the new one since, or has it open, that stays: it is
 * what the program continues. An old one that was written to as well, or is open, is kept next to it. Returns the error
 * that says so.
 */
export function takeBack({ path, old, before, written }: ReplacedFile, file: string): Error | undefined {
  const now = existsSync(path) ? fingerprint(path) : undefined
  if (now && isSameFile(now, before)) return undefined
  const isOurs = now && written ? isSameFile(now, written) && !isOpenElsewhere(path) : now === written
  if (isOurs) {
    renameSync(old, path)
    return undefined
  }
  // What a repair removed has no other copy, unlike what it changed.
  if (written && isSameFile(fingerprint(old), before) && !isOpenElsewhere(old)) return continued(file)
  const kept = keptNameOf(path)
  renameSync(old, kept)
  return continued(file, `; the version before is in ${kept}`)
}

/** A program uses what a repair had just made, so that it cannot be taken back. */
export const continued = (file: string, more = ''): Error =>
  fileError(file, `a program used it during its repair, so it was left as it is now${more}`, 'check it again')

/** Some file systems do not support hard links. */
export function linkIfPossible(path: string, name: string): boolean {
  try {
    linkSync(path, name)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes((error as { code?: string }).code ?? ''))
      return false
    throw error
  }
}

async function writeThrough(
  draft: string,
  blocks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  like: string,
): Promise<void> {
  const handle = openSync(draft, 'wx', 0o600)
  try {
    for await (const block of blocks) for (let at = 0; at < block.length; ) at += writeSync(handle, block, at)
    copyOwnerAndTimes(handle, like)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Gives a file the owner, permissions and times of another. */
export function copyOwnerAndTimes(handle: number, like: string): void {
  const { uid, gid, mode, atimeMs, mtimeMs } = statSync(like)
  try {
    fchownSync(handle, uid, gid)
  } catch {
    // Only a superuser can change the owner of a file; the permissions are set anyway.
  }
  fchmodSync(handle, mode & 0o7777)
  futimesSync(handle, atimeMs / 1000, mtimeMs / 1000)
}

export function mustBeWritable(path: string, file: string): void {
  if (!statSync(path).isFile()) throw fileError(file, 'it is not a regular file, so it cannot be replaced')
  accessSync(path, constants.W_OK)
}

/** The new name is durable only once its folder is synced; some systems cannot do that. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    return
  }
}
