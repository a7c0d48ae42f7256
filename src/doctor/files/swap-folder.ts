import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { keptNameOf } from './drafts.ts'
import { failureReason, fileError } from './file-error.ts'
import { type Fingerprint, fingerprint, isSameFile } from './fingerprint.ts'
import { mustHaveNoLinks } from './no-links.ts'
import { isAtWork } from './processes/is-alive.ts'
import { type AssertUnused, continued, syncFolder } from './swap-file.ts'

/**
 * Replaces a folder. `build` fills the new one, and may link files of the old one into it. No portable call exchanges
 * two folders atomically, so between the two renames nothing exists at `path`. If the process is stopped there, the old
 * and the new folder are left in a temporary folder next to it, and `finishSwaps` completes the swap. `isStill` tells
 * whether the files that were read are unchanged; the swap also fails if any other file in the folder changes.
 */
export function swapFolder(
  path: string,
  build: (folder: string) => void,
  isStill: (path: string) => boolean,
  assertUnused: AssertUnused | undefined,
): void {
  const temporary = join(dirname(path), `${swapFolderName}${process.pid}`)
  const fresh = join(temporary, 'new', basename(path))
  const old = join(temporary, 'old', basename(path))
  // The folder may hold files that `isStill` does not look at, so the versions of all files are compared too.
  const known = versionsIn(path)
  const isUnchanged = (place: string): boolean => isStill(place) && areSame(versionsIn(place), known)
  try {
    finishSwaps(dirname(path))
    for (const folder of [fresh, dirname(old)]) mkdirSync(folder, { recursive: true })
    build(fresh)
    for (const folder of foldersIn(fresh)) syncFolder(folder)
    assertUnused?.()
    if (!isUnchanged(path)) throw changed(path)
    const made = versionsIn(fresh)
    renameSync(path, old)
    renameSync(fresh, path)
    // A program may have added a file at the last moment.
    if (!isUnchanged(old)) {
      renameSync(path, fresh)
      renameSync(old, path)
      throw recoverAddedFiles(fresh, path, made) ?? changed(path)
    }
    syncFolder(dirname(path))
    clear(temporary)
  } catch (error) {
    if (!existsSync(path) && existsSync(old)) renameSync(old, path)
    if (existsSync(old)) throw recreatedError(path, old)
    clear(temporary)
    if ((error as { code?: string }).code === 'unreadable') throw error
    throw fileError(path, `it cannot be replaced: ${failureReason(error)}`, 'nothing was changed')
  }
}

/**
 * After the swap was reverted: moves files that a program added to the new folder meanwhile into the old one, which is at
 * `path` again. If the program changed a file there that also exists in the old folder, the new folder is kept next to
 * it, and the error that says so is returned.
 */
function recoverAddedFiles(fresh: string, path: string, made: ReadonlyMap<string, Fingerprint>): Error | undefined {
  let isKept = false
  for (const [name, now] of versionsIn(fresh)) {
    const before = made.get(name)
    const place = join(path, name)
    if (before && isSameFile(now, before)) continue
    // A file that the repair did not change is the same file in both.
    if (existsSync(place)) isKept ||= fingerprint(place).inode !== now.inode
    else {
      mkdirSync(dirname(place), { recursive: true })
      renameSync(join(fresh, name), place)
    }
  }
  if (!isKept) return undefined
  const kept = keptNameOf(path)
  renameSync(fresh, kept)
  return continued(path, `; what it wrote to the repaired version is in ${kept}`)
}

/** The versions of all files in a folder, by their paths in it. */
function versionsIn(folder: string): Map<string, Fingerprint> {
  const versions = new Map<string, Fingerprint>()
  for (const place of foldersIn(folder))
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name)
      // A program may have removed it since its folder was read.
      if (entry.isFile() && existsSync(path)) versions.set(relative(folder, path), fingerprint(path))
    }
  return versions
}

const areSame = (some: ReadonlyMap<string, Fingerprint>, others: ReadonlyMap<string, Fingerprint>): boolean =>
  some.size === others.size &&
  [...some].every(([name, version]) => {
    const other = others.get(name)
    return other !== undefined && isSameFile(version, other)
  })

const changed = (path: string): Error =>
  fileError(path, 'it changed during the repair, so it was left as it is', 'close its program and try again')

const swapFolderName = '.antiphon-'

/** Whether a folder is the leftover of an interrupted swap. */
export const isSwapFolder = (name: string): boolean => swapFolderPattern.test(name)

const swapFolderPattern = /^\.antiphon-(\d+)$/

/** The paths of these leftovers in a folder. */
export const swapFoldersIn = (folder: string): string[] =>
  namesIn(folder)
    .filter(isSwapFolder)
    .map(name => join(folder, name))

/** The result of finishing the swaps in a folder. */
export interface Finished {
  /** The folders that have their name again. */
  readonly paths: readonly string[]
  /** The processes that are still working there. */
  readonly atWork: readonly number[]
  /** One error for each folder that another program created again before the swap was complete. Nothing was done there, and nothing is removed. */
  readonly errors: readonly Error[]
}

/**
 * Completes the swaps that ended processes began in a folder, and removes their leftovers. A new folder is complete
 * only if the old one was already moved away.
 */
export function finishSwaps(folder: string): Finished {
  const paths: string[] = []
  const atWork: number[] = []
  const errors: Error[] = []
  for (const entry of readdirSync(folder)) {
    const pid = Number(swapFolderPattern.exec(entry)?.[1])
    if (Number.isNaN(pid)) continue
    if (isAtWork(pid)) {
      atWork.push(pid)
      continue
    }
    for (const side of ['old', 'new']) mustHaveNoLinks(folder, join(folder, entry, side))
    let isDone = true
    for (const name of namesIn(join(folder, entry, 'old'))) {
      const [path, old, fresh] = [
        join(folder, name),
        join(folder, entry, 'old', name),
        join(folder, entry, 'new', name),
      ]
      if (existsSync(path)) {
        // A swap that was complete has moved the new folder to this path.
        if (!existsSync(fresh)) continue
        isDone = false
        errors.push(recreatedError(path, old))
        continue
      }
      renameSync(existsSync(fresh) ? fresh : old, path)
      paths.push(path)
    }
    if (isDone && namesIn(join(folder, entry)).every(name => name === 'new' || name === 'old'))
      clear(join(folder, entry))
  }
  if (paths.length > 0) syncFolder(folder)
  return { paths, atWork, errors }
}

const recreatedError = (path: string, old: string): Error =>
  fileError(path, `it was created again during a repair; what was there before is in ${old}`, 'put it back by hand')

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** A leftover that cannot be removed does not make the swap a failure. */
function clear(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    return
  }
}

function* foldersIn(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* foldersIn(join(folder, entry.name))
}
