import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { identifyLibrary } from '../heal/identify-library.ts'
import { addressWithoutPassword } from './address.ts'
import { isBackup } from './backup/backup.ts'
import { undoCommand } from './backup/commands.ts'
import { isDraft } from './files/drafts.ts'
import { failureReason, fileError } from './files/file-error.ts'
import { isUtf16 } from './files/source.ts'
import { isSwapFolder } from './files/swap-folder.ts'
import { headMessages } from './head-messages.ts'
import { isUrl, type Peek, peekAt } from './peek.ts'
import type { System } from './system.ts'

/** A store that was found, or why a path is not one. */
export type FoundStore =
  | { readonly kind: 'store'; readonly path: string; readonly system: System }
  | { readonly kind: 'unreadable'; readonly path: string; readonly error: Error }
  /** A path in a searched folder that no system recognises. */
  | { readonly kind: 'unrecognised'; readonly path: string }
  /** An interrupted repair, which has to be finished first. */
  | { readonly kind: 'unfinished'; readonly path: string }
  /** A folder with drafts in it, of an interrupted repair or of one that is running. */
  | { readonly kind: 'drafts'; readonly path: string }

/**
 * The stores at a path, or below it. Folders are read one at a time; links that lead out of the path are not followed.
 */
export function* findStores(path: string, systems: readonly System[]): Generator<FoundStore> {
  if (isUrl(path)) {
    yield* inDatabase(path, systems)
    return
  }
  const root = attempt(() => realpathSync(path))
  if (root instanceof Error && looksLikeAddress.test(path)) {
    const place = addressWithoutPassword(path)
    const error = fileError(
      place,
      'it is neither a file nor an address that can be read',
      'an address begins with postgres://',
    )
    yield { kind: 'unreadable', path: place, error }
  } else if (root instanceof Error)
    yield wasMovedAside(path)
      ? { kind: 'unfinished', path: dirname(path) }
      : { kind: 'unreadable', path, error: asFileError(path, root) }
  else if (isBackup(root))
    yield {
      kind: 'unreadable',
      path,
      error: fileError(path, 'it is a backup, not a store', `${undoCommand(path, path)} brings it back`),
    }
  else if (attempt(() => statSync(root).isDirectory()) === true) yield* inFolder(path, root, systems)
  else yield* named(path, systems)
}

/** Tables of several programs may be in one database. */
function* inDatabase(path: string, systems: readonly System[]): Generator<FoundStore> {
  const known = systems.filter(({ tables }) => tables !== undefined)
  if (known.length === 0) yield { kind: 'unreadable', path: shown(path), error: whyNoStore(path, systems) }
  for (const system of known) yield { kind: 'store', path, system }
}

/** An address of any server, which may have a password in it. */
const looksLikeAddress = /^[a-z][a-z\d+.-]+:.*@|:\/\//i

/** Whether an interrupted repair has moved the folder away, and not put it back. */
function wasMovedAside(path: string): boolean {
  const names = attempt(() => readdirSync(dirname(path)))
  if (names instanceof Error) return false
  return names.some(name => isSwapFolder(name) && existsSync(join(dirname(path), name, 'old', basename(path))))
}

/** A path that the user named must be a store. */
function* named(path: string, systems: readonly System[]): Generator<FoundStore> {
  const found = recognise(path, systems)
  yield found.kind === 'unrecognised' ? { kind: 'unreadable', path, error: whyNoStore(path, systems) } : found
}

function whyNoStore(path: string, systems: readonly System[]): Error {
  const hint = 'antiphon doctor --help lists the supported programs'
  if (isUrl(path)) return fileError(shown(path), noStore(systems), hint)
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) return fileError(path, 'the file is empty', hint)
  const peek = peekAt(path)
  if (isUtf16(peek.head())) return fileError(path, 'it is UTF-16', 'save it as UTF-8')
  const library = identifyLibrary(headMessages(peek)?.messages ?? [])
  if (library === undefined) return fileError(path, noStore(systems), hint)
  return fileError(path, `this looks like ${library} messages, which are not supported`, hint)
}

const noStore = ([first, second]: readonly System[]): string =>
  `it is not a store of ${first && !second ? first.id : 'a known system'}`

/** An address without its password. */
const shown = (path: string): string => (isUrl(path) ? addressWithoutPassword(path) : path)

/** Everything in a folder, depth first. Uses its own list, because a tree may be deeper than the call stack. */
function* inFolder(top: string, root: string, systems: readonly System[]): Generator<FoundStore> {
  const unvisited = [top]
  for (let path = unvisited.pop(); path !== undefined; path = unvisited.pop()) {
    const place = path
    const stat = attempt(() => (place === top ? statSync(place) : lstatSync(place)))
    if (stat instanceof Error) {
      const error = errorFor(path, stat)
      if (error) yield { kind: 'unreadable', path, error }
    } else if (stat.isDirectory()) {
      const found = isBackup(path) ? [] : openFolder(path, systems)
      for (const one of found) {
        if (typeof one === 'string') unvisited.push(one)
        else yield one
      }
    } else if (stat.isFile()) yield recognise(path, systems)
    else if (stat.isSymbolicLink()) {
      const reason = whyNotFollowed(path, root)
      if (reason !== undefined) yield { kind: 'unreadable', path: shown(path), error: fileError(shown(path), reason) }
    }
  }
}

/** What a folder is, or the paths in it, the last one first. */
function openFolder(path: string, systems: readonly System[]): readonly (FoundStore | string)[] {
  const found = recognise(path, systems)
  if (found.kind !== 'unrecognised') return [found]
  const names = attempt(() => readdirSync(path).sort())
  if (names instanceof Error) return [{ kind: 'unreadable', path, error: asFileError(path, names) }]
  const paths = names
    .filter(name => !isSwapFolder(name) && !isDraft(name) && !passedOver.has(name))
    .map(name => join(path, name))
    .reverse()
  return [
    ...(names.some(isSwapFolder) ? [{ kind: 'unfinished' as const, path }] : []),
    ...(names.some(isDraft) ? [{ kind: 'drafts' as const, path }] : []),
    ...paths,
  ]
}

/** A link inside the folder leads to something that is found anyway. */
function whyNotFollowed(path: string, root: string): string | undefined {
  const target = attempt(() => realpathSync(path))
  if (target instanceof Error)
    return (target as { code?: string }).code === 'ENOENT'
      ? 'it is a symbolic link to a missing file'
      : failureReason(target)
  return `${target}${sep}`.startsWith(`${resolve(root)}${sep}`)
    ? undefined
    : 'it is a symbolic link out of the folder, and is not followed'
}

function recognise(path: string, systems: readonly System[]): FoundStore {
  const system = attempt(() => {
    const peek: Peek = peekAt(path)
    return systems.find(one => one.recognises(peek))
  })
  if (system instanceof Error) return { kind: 'unreadable', path, error: asFileError(path, system) }
  return system ? { kind: 'store', path, system } : { kind: 'unrecognised', path }
}

const passedOver = new Set(['node_modules', '.git'])

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * A file that disappeared after it was listed is ignored: a log is removed once its database is repaired. But a name
 * that is not valid text cannot be found under its decoded form.
 */
function errorFor(path: string, error: Error): Error | undefined {
  if ((error as { code?: string }).code !== 'ENOENT') return asFileError(path, error)
  return path.includes('\ufffd') ? fileError(path, 'its name is not UTF-8, so it cannot be opened') : undefined
}

const asFileError = (path: string, error: Error): Error =>
  (error as { code?: string }).code === 'unreadable' ? error : fileError(path, failureReason(error))
