import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isWorkshop } from '../files/swap-folder.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { placeOf } from './address.ts'
import { isUrl, type Peek, peekAt } from './peek.ts'
import type { System } from './system.ts'

/** A store that was found, or why a path is none. */
export type Found =
  | { readonly kind: 'store'; readonly path: string; readonly system: System }
  | { readonly kind: 'trouble'; readonly path: string; readonly error: Error }
  /** Something that no system knows, in a folder that was looked through. */
  | { readonly kind: 'stranger'; readonly path: string }
  /** A healing that was cut off, which has to be finished first. */
  | { readonly kind: 'unfinished'; readonly path: string }

/** The stores at a path, or below it. Folders are read one at a time; links that lead out of the path are not followed. */
export function* findStores(path: string, systems: readonly System[]): Generator<Found> {
  if (isUrl(path)) {
    yield* named(path, systems)
    return
  }
  const root = attempt(() => realpathSync(path))
  if (root instanceof Error) yield { kind: 'trouble', path, error: complain(path, root) }
  else if (attempt(() => statSync(root).isDirectory()) === true) yield* inFolder(path, root, systems)
  else yield* named(path, systems)
}

/** What was named by its path must be a store. */
function* named(path: string, systems: readonly System[]): Generator<Found> {
  const found = recognise(path, systems)
  if (found.kind !== 'stranger') yield found
  else
    yield {
      kind: 'trouble',
      path,
      error: unreadable(
        path,
        emptiness(path) ?? 'it is no store of a system that is known',
        'antiphon doctor --help lists them',
      ),
    }
}

/** An address as people may read it: without its password. */
const shown = (path: string): string => (isUrl(path) ? placeOf(path) : path)

const emptiness = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.size === 0 ? 'the file is empty' : undefined

function* inFolder(path: string, root: string, systems: readonly System[]): Generator<Found> {
  const found = recognise(path, systems)
  if (found.kind !== 'stranger') {
    yield found
    return
  }
  const names = attempt(() => readdirSync(path).sort())
  if (names instanceof Error) {
    yield { kind: 'trouble', path, error: complain(path, names) }
    return
  }
  for (const name of names) {
    const below = join(path, name)
    if (isWorkshop(name)) yield { kind: 'unfinished', path }
    else if (!isOurs(name) && !passedOver.has(name)) yield* belowFolder(below, root, systems)
  }
}

function* belowFolder(path: string, root: string, systems: readonly System[]): Generator<Found> {
  const stat = attempt(() => lstatSync(path))
  if (stat instanceof Error) yield { kind: 'trouble', path, error: complain(path, stat) }
  else if (stat.isDirectory()) yield* inFolder(path, root, systems)
  else if (stat.isFile()) yield recognise(path, systems)
  else if (stat.isSymbolicLink() && !leadsInside(path, root))
    yield {
      kind: 'trouble',
      path: shown(path),
      error: unreadable(shown(path), 'it is a symbolic link out of the folder, and is not followed'),
    }
}

/** A link inside the folder leads to what is found there anyway. */
function leadsInside(path: string, root: string): boolean {
  const target = attempt(() => realpathSync(path))
  return typeof target === 'string' && `${target}${sep}`.startsWith(`${resolve(root)}${sep}`)
}

function recognise(path: string, systems: readonly System[]): Found {
  const system = attempt(() => {
    const peek: Peek = peekAt(path)
    return systems.find(one => one.recognises(peek))
  })
  if (system instanceof Error) return { kind: 'trouble', path, error: complain(path, system) }
  return system ? { kind: 'store', path, system } : { kind: 'stranger', path }
}

/** Drafts of a healing that was cut off. */
const isOurs = (name: string): boolean => /^\..*\.antiphon(-old)?$/.test(name)

const passedOver = new Set(['node_modules', '.git'])

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const complain = (path: string, error: Error): Error =>
  (error as { code?: string }).code === 'unreadable' ? error : unreadable(path, reasonOf(error))
