import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isRecord } from '../core/conversation.ts'
import { unreadable } from '../unreadable.ts'

/**
 * Throws unless the list of a backup can be one that the doctor wrote. A backup that somebody else gave away may say anything: it
 * must not bring bytes from beside its folder, nor write or remove a file that is not of the store that it names.
 */
export function checkManifest(value: unknown, folder: string): void {
  const refuse = (reason: string): Error => unreadable(folder, `it is no backup of the doctor: ${reason}`)
  if (!isRecord(value) || value.antiphon !== 1 || !Array.isArray(value.files)) throw refuse('its list is none')
  const { system, path, files, folders = [], data } = value
  if (typeof system !== 'string' || !/^[a-z][a-z0-9-]*$/.test(system)) throw refuse('it names no system')
  if (typeof path !== 'string') throw refuse('it names no store')
  if (!Array.isArray(folders) || !folders.every(isFolder)) throw refuse('its folders are none')
  if (data !== undefined && !(isRecord(data) && data.copy === 'data' && isRegular(folder, data.copy)))
    throw refuse('its data are not in it')
  const isOfStore = isPlace(path) ? membersOf(path) : () => false
  for (const file of files) {
    if (!isRecord(file) || typeof file.path !== 'string' || !isPlace(file.path)) throw refuse('it names no file')
    if (file.copy !== undefined && !(isCopy(file.copy) && isRegular(folder, file.copy)))
      throw refuse('a copy is not in it')
    if (!isOfStore(file.path)) throw refuse(`${file.path} is no file of ${path}`)
  }
}

/** A whole path, with nothing in it that leads up again. */
const isPlace = (path: string): boolean => !path.includes('\0') && resolve(path) === path

const isCopy = (name: unknown): name is string => typeof name === 'string' && /^\d{6,}$/.test(name)

/** A link could lead to any file of whoever restores. One that is missing is told with its own words. */
const isRegular = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() !== false

const isFolder = (folder: unknown): boolean =>
  isRecord(folder) && typeof folder.path === 'string' && Array.isArray(folder.names)

/** Tells whether a file is of a store: the store itself, in it, beside it as databases have it, or behind a link in it. */
function membersOf(store: string): (file: string) => boolean {
  const home = realPlace(store)
  const isOf = (place: string, file: string): boolean =>
    file.startsWith(`${place}${sep}`) || companions.some(suffix => file === place + suffix)
  let linked: readonly string[] | undefined
  return path => {
    const file = join(realPlace(dirname(path)), basename(path))
    if (isOf(home, file)) return true
    linked ??= linksIn(home)
    return linked.some(place => isOf(place, file))
  }
}

const companions = ['', '-wal', '-shm', '-journal']

/** A path without links, also where its end does not exist any more. */
function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPlace(above), basename(path))
  }
}

/** Where the links lead that stand in a folder. */
function linksIn(folder: string): string[] {
  const places: string[] = []
  const coming = [folder]
  for (let place = coming.pop(); place !== undefined; place = coming.pop()) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name)
      if (entry.isDirectory()) coming.push(path)
      if (entry.isSymbolicLink()) places.push(realPlace(resolve(place, readlinkSync(path))))
    }
  }
  return places
}
