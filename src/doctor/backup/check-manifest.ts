import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { unreadable } from '../files/file-error.ts'
import { companions, realPlace, restBelow } from '../files/no-links.ts'

/** The list of a backup, as it is written. */
export interface Manifest {
  readonly antiphon: 1
  readonly system: string
  readonly path: string
  readonly made: string
  readonly files: readonly KeptFile[]
  /** What stood in the folders of these files, as far as they belong to the store. */
  readonly folders?: readonly KeptFolder[]
  /** The file beside the list that holds what is no file. */
  readonly data?: { readonly copy: string; readonly sha256: string }
}

export interface KeptFile {
  readonly path: string
  /** The name of the copy; absent if there was no such file. */
  readonly copy?: string
  readonly size?: number
  readonly sha256?: string
  readonly mode?: number
  readonly uid?: number
  readonly gid?: number
  readonly accessedMs?: number
  readonly modifiedMs?: number
}

export interface KeptFolder {
  readonly path: string
  readonly names: readonly string[]
}

/**
 * The list of a backup with the real paths of its files. Throws unless it can be one that the doctor wrote: a backup that somebody
 * else gave away may say anything, and must not bring bytes from outside its folder, nor name a file that is not in its store.
 * Links inside the store are looked for when it is written to.
 */
export function checkManifest(value: unknown, folder: string): Manifest {
  const refuse = (reason: string): Error => unreadable(folder, `it is no backup of the doctor: ${reason}`)
  if (!isRecord(value) || value.antiphon !== 1 || !Array.isArray(value.files)) throw refuse('its list is none')
  const { system, path, folders = [], data } = value
  if (typeof system !== 'string' || !/^[a-z][a-z0-9-]*$/.test(system)) throw refuse('it names no system')
  if (typeof path !== 'string') throw refuse('it names no store')
  if (!Array.isArray(folders) || !folders.every(isFolder)) throw refuse('its folders are none')
  if (data !== undefined && !(isRecord(data) && data.copy === 'data' && isRegular(folder, data.copy)))
    throw refuse('its data are not in it')
  const real = isPlace(path) ? realIn(path) : () => undefined
  const realOf = (place: string, what: string): string => {
    const found = real(place)
    if (found === undefined) throw refuse(`${place} is no ${what} of ${path}`)
    return found
  }
  const files = value.files.map((file: unknown): KeptFile => {
    if (!isRecord(file) || typeof file.path !== 'string' || !isPlace(file.path)) throw refuse('it names no file')
    if (file.copy !== undefined && !(isCopy(file.copy) && isRegular(folder, file.copy)))
      throw refuse('a copy is not in it')
    return { ...file, path: realOf(file.path, 'file') }
  })
  if (new Set(files.map(file => file.path)).size < files.length) throw refuse('it names a file twice')
  const inside = folders.map((one: KeptFolder) => ({ ...one, path: realOf(one.path, 'folder') }))
  return { ...(value as unknown as Manifest), files, folders: inside }
}

/** A whole path, with nothing in it that leads up again. */
const isPlace = (path: string): boolean => !path.includes('\0') && resolve(path) === path

const isCopy = (name: unknown): name is string => typeof name === 'string' && /^\d{6,}$/.test(name)

/** A link could lead to any file of whoever restores. One that is missing is told with its own words. */
const isRegular = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() !== false

const isFolder = (folder: unknown): folder is KeptFolder =>
  isRecord(folder) && typeof folder.path === 'string' && isPlace(folder.path) && Array.isArray(folder.names)

/**
 * The real path of a file of a store: the store itself, in it, or next to it as databases have it. The store may be named through
 * links, which are resolved here and once; what is below is told by its name alone.
 */
function realIn(store: string): (path: string) => string | undefined {
  const home = realPlace(store)
  return path => {
    for (const root of [home, store]) {
      const rest = restBelow(root, path)
      if (rest !== undefined) return rest === '' ? home : join(home, rest)
      const suffix = companions.find(one => path === root + one)
      if (suffix !== undefined) return home + suffix
    }
    return undefined
  }
}
