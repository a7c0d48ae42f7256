import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { AntiphonError } from '../../core/errors.ts'
import { fileError } from './file-error.ts'
import { mustBeRegularFile } from './regular-file.ts'

/** A path with all links resolved, even if its end does not exist. */
export function realPlace(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(realPlace(above), basename(whole))
  }
}

/** The rest of a path below a folder: empty for the folder itself, undefined if the path is not below it. */
export function restBelow(folder: string, path: string): string | undefined {
  if (path === folder) return ''
  const start = folder.endsWith(sep) ? folder : folder + sep
  return path.startsWith(start) ? path.slice(start.length) : undefined
}

/** The files that SQLite keeps next to a database. */
export const companions = ['-wal', '-shm', '-journal'] as const

/**
 * Throws if a path that belongs to a store is a link, or if a folder between the store and the path is one. The store
 * itself, as the user named it, may be reached through links. A missing path is allowed. Node cannot open a file
 * relative to an open folder, so this is called right before each write, and before each read.
 */
export function mustHaveNoLinks(store: string, path: string): void {
  const [named, real, whole] = [resolve(store), realPlace(store), resolve(path)]
  if (companions.some(suffix => whole === named + suffix || whole === real + suffix)) {
    mustBeNoLink(whole)
    return
  }
  const rest = restBelow(named, whole) ?? restBelow(real, whole)
  if (rest === undefined) throw fileError(path, `it is not inside ${store}, so it was left as it is`)
  let place = real
  for (const name of rest === '' ? [] : rest.split(sep)) {
    place = join(place, name)
    mustBeNoLink(place)
  }
}

/**
 * SQLite opens, reads and writes the files next to a database, even if one is a link to something else, or a FIFO that
 * blocks.
 */
export function mustHaveRealCompanions(database: string): void {
  for (const suffix of companions) {
    mustBeNoLink(database + suffix)
    mustBeRegularFile(database + suffix)
  }
}

/** Throws if a path is a link. */
export function mustBeNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkError(path)
}

export const linkError = (path: string): AntiphonError =>
  fileError(path, 'it is a symbolic link inside a store, and is not followed')

/** A note for each file with several names: only one of them gets the new content. */
export const hardLinkNotes = (files: readonly string[]): string[] =>
  files.flatMap(file => {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.nlink > 1 ? [`${file} ${hardLinkNote}`] : []
  })

const hardLinkNote = 'is a hard link: it is replaced under this name only, and its other names keep what was there'
