import {
  accessSync,
  closeSync,
  constants,
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
import { draftOf } from './drafts.ts'
import { failureReason, unreadable } from './file-error.ts'
import { type Fingerprint, fingerprint, isSameFile } from './fingerprint.ts'

/** Throws if a program has begun to use what is about to be replaced. `files` have lost their names already. */
export type LastLook = (...files: string[]) => void

/**
 * Puts other bytes in the place of a file, all at once, with the owner, the rights and the times it had. Throws, and leaves
 * the file as it was, if it is no longer the one with this fingerprint, or was written to meanwhile. A symbolic link stays
 * one.
 */
export async function swapFile(
  file: string,
  before: Fingerprint,
  blocks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  last: LastLook | undefined,
): Promise<void> {
  let draft: string | undefined
  try {
    const path = realpathSync(file)
    mustBeWritable(path, file)
    draft = draftOf(path)
    await writeThrough(draft, blocks, path)
    last?.()
    if (!isSameFile(fingerprint(path), before)) throw changed(file)
    exchange(draft, path, before, file, last)
    syncFolder(dirname(path))
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true })
    if ((error as { code?: string }).code === 'unreadable') throw error
    throw unreadable(file, `it cannot be replaced: ${failureReason(error)}`, 'nothing was changed')
  }
}

const changed = (file: string): Error =>
  unreadable(file, 'it changed while it was being healed, so it was left as it is', 'close its program and try again')

/** Puts the draft in place. A program that wrote to the old file in the last moment, or has it open, brings it back. */
function exchange(draft: string, path: string, before: Fingerprint, file: string, last: LastLook | undefined): void {
  const old = `${draft}-old`
  rmSync(old, { force: true })
  const isWatched = linkIfPossible(path, old)
  try {
    renameSync(draft, path)
    if (!isWatched) return
    try {
      last?.(old)
      if (statSync(old, { bigint: true }).size !== before.size) throw changed(file)
    } catch (error) {
      renameSync(old, path)
      throw error
    }
  } finally {
    rmSync(old, { force: true })
  }
}

/** Some file systems know no second name for a file. */
function linkIfPossible(path: string, name: string): boolean {
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
    wearLike(handle, like)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Gives a file the owner, the rights and the times of another. */
export function wearLike(handle: number, like: string): void {
  const { uid, gid, mode, atimeMs, mtimeMs } = statSync(like)
  try {
    fchownSync(handle, uid, gid)
  } catch {
    // Only a superuser can give a file away; the rights count all the same.
  }
  fchmodSync(handle, mode & 0o7777)
  futimesSync(handle, atimeMs / 1000, mtimeMs / 1000)
}

export function mustBeWritable(path: string, file: string): void {
  if (!statSync(path).isFile()) throw unreadable(file, 'it is no regular file, so it cannot be replaced')
  accessSync(path, constants.W_OK)
}

/** The new name is lasting only when its folder is; some systems cannot be asked for that. */
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
