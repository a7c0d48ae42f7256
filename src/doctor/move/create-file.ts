import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { failureReason, fileError } from '../files/file-error.ts'

/**
 * Writes a new file and the folders that it needs. Only its owner can read it. Nothing is overwritten. The file gets its name
 * when it is complete, so that no part of it has that name if the process is killed.
 */
export function createFile(file: string, text: string, hint: string): void {
  const draft = join(dirname(file), `.new.${process.pid}.antiphon`)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // A process that was killed may have left one of this name.
    rmSync(draft, { force: true })
    writeWhole(draft, text)
    try {
      if (!isLinked(draft, file)) writeWhole(file, text)
    } finally {
      rmSync(draft, { force: true })
    }
  } catch (error) {
    throw fileError(file, failureReason(error), hint)
  }
}

/** Gives a file a second name, unless that exists. Returns false where files have one name only. */
function isLinked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    return false
  }
}

/** Writes a new file. Nothing is left of one that could not be written to its end. */
function writeWhole(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(file)
    throw error
  } finally {
    closeSync(handle)
  }
}
