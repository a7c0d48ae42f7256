import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { fileError } from '../files/file-error.ts'
import { companions, realPlace, restBelow } from '../files/no-links.ts'

/** The manifest of a backup, as it is written. */
export interface Manifest {
  readonly antiphon: 1
  readonly system: string
  readonly path: string
  readonly made: string
  readonly files: readonly KeptFile[]
  /** The content of the folders of these files, as far as it belongs to the store. */
  readonly folders?: readonly KeptFolder[]
  /** The file next to the manifest that holds data that is not a file. */
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
 * The manifest of a backup with the real paths of its files. Throws unless the doctor could have written it: a backup
 * from another person can contain anything, and must not read bytes from outside its folder, nor name a file that is
 * not in its store. Links inside the store are checked when it is written to.
 */
export function checkManifest(value: unknown, folder: string): Manifest {
  const refuse = (reason: string): Error => fileError(folder, `it is not a backup of the doctor: ${reason}`)
  if (!isRecord(value) || value.antiphon !== 1 || !Array.isArray(value.files)) throw refuse('its manifest is not valid')
  const { system, path, folders = [], data } = value
  if (typeof system !== 'string' || !/^[a-z][a-z0-9-]*$/.test(system)) throw refuse('it names no system')
  if (typeof path !== 'string') throw refuse('it names no store')
  if (!Array.isArray(folders) || !folders.every(isFolder)) throw refuse('its folders are not valid')
  if (data !== undefined && !(isRecord(data) && data.copy === 'data' && isRegular(folder, data.copy)))
    throw refuse('its data is missing')
  const real = isPlace(path) ? realIn(path) : () => undefined
  const realOf = (place: string, what: string): string => {
    const found = real(place)
    if (found === undefined) throw refuse(`${place} is not a ${what} of ${path}`)
    return found
  }
  const files = value.files.map((file: unknown): KeptFile => {
    if (!isRecord(file) || typeof file.path !== 'string' || !isPlace(file.path)) throw refuse('it names no file')
    if (file.copy !== undefined && !(isCopy(file.copy) && isRegular(folder, file.copy)))
      throw refuse('a copy is missing')
    if (numbers.some(name => file[name] !== undefined && !isNumber(file[name])))
      throw refuse('its numbers are not valid')
    return { ...file, path: realOf(file.path, 'file') }
  })
  const paths = new Set(files.map(file => file.path))
  if (paths.size < files.length) throw refuse('it names a file twice')
  for (const { path } of files)
    for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent))
      if (paths.has(parent)) throw refuse(`it names ${parent} as a file and as a folder`)
  const inside = folders.map((one: KeptFolder) => ({ ...one, path: realOf(one.path, 'folder') }))
  return { ...(value as unknown as Manifest), files, folders: inside }
}

const numbers = ['size', 'mode', 'uid', 'gid', 'accessedMs', 'modifiedMs']

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** An absolute path without `..` in it. */
const isPlace = (path: string): boolean => !path.includes('\0') && resolve(path) === path

const isCopy = (name: unknown): name is string => typeof name === 'string' && /^\d{6,}$/.test(name)

/** A link could lead to any file of the user who restores. A missing file gets its own error message. */
export const isRegular = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() !== false

const isFolder = (folder: unknown): folder is KeptFolder =>
  isRecord(folder) && typeof folder.path === 'string' && isPlace(folder.path) && Array.isArray(folder.names)

/**
 * The real path of a file of a store: the store itself, a file in it, or a file next to it as databases have. Links in
 * the store's own path are resolved here, once; below it only names count.
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
