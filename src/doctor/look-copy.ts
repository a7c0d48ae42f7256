import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAtWork } from './files/processes/is-alive.ts'
import { copyRegularFile } from './files/regular-file.ts'

/** A copy of a database and the files next to it, for reading; it exists until it is removed. */
export interface LookCopy {
  readonly path: string
  remove(): void
}

export function lookCopyOf(path: string): LookCopy {
  const copy = newLook('copy')
  try {
    copyRegularFile(path, copy.path)
    for (const suffix of ['-wal', '-journal'])
      if (existsSync(path + suffix)) copyRegularFile(path + suffix, copy.path + suffix)
    return copy
  } catch (error) {
    copy.remove()
    throw error
  }
}

/** A file for what is read from a store, which exists once it is written. */
export function newLook(name: string): LookCopy {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  return { path: join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const prefix = 'antiphon-look-'

/**
 * Removes copies that ended processes of this user left: a killed process leaves one, and it holds private
 * conversations.
 */
export function removeAbandonedCopies(): void {
  try {
    for (const name of readdirSync(tmpdir())) {
      const pid = /^antiphon-look-(\d+)-/.exec(name)?.[1]
      const place = join(tmpdir(), name)
      if (pid !== undefined && !isAtWork(Number(pid)) && isOwn(place)) rmSync(place, { recursive: true, force: true })
    }
  } catch {
    return
  }
}

function isOwn(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid())
}
