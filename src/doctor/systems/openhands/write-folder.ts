import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { readRegularFile } from '../../files/regular-file.ts'
import { type LastLook, wearLike } from '../../files/swap-file.ts'
import { swapFolder } from '../../files/swap-folder.ts'
import type { StoredEvent } from './event.ts'
import { baseName, eventsFolder, type Folder, isEventName, type Log, nameOf, stampOf } from './log.ts'
import { madeText, rewritten, rewrittenBase } from './rewrite.ts'

/** What a folder will hold: the name of an event, and the file that it comes from. */
export interface Sheet {
  readonly name: string
  /** The file whose bytes it has, or whose owner and times. */
  readonly from: string
  /** The text that it has instead; it is made when it is written. */
  readonly text?: () => string
}

/** The files of the events of a mended log, in order. */
export function sheetsOf(path: string, before: Folder, after: Log): Sheet[] {
  const known = new Map(before.log.events.map(event => [event.file, event]))
  const textOf = (file: string): string => readRegularFile(join(path, eventsFolder, file)).toString()
  let like = ''
  return after.events.map((event, number): Sheet => {
    const name = nameFor(event, number)
    const from = event.file ?? like
    like = from
    if (event.file === undefined) return { name, from, text: () => madeText(event, textOf(from)) }
    const old = known.get(from) as StoredEvent
    return event === old ? { name, from } : { name, from, text: () => rewritten(textOf(from), old, event) }
  })
}

/** An id that cannot stand in a name is not put there. */
function nameFor({ id, file }: StoredEvent, number: number): string {
  const name = nameOf(number, id)
  return isEventName(name) || file === undefined
    ? name
    : file.replace(/^event-\d+/, name.slice(0, name.indexOf('-', 6)))
}

/** The text that the base state will have, if it changes. */
export function baseTextOf(path: string, before: Folder, after: Log): string | undefined {
  if (before.log.base === after.base) return undefined
  const text = readRegularFile(join(path, baseName)).toString()
  const now = rewrittenBase(text, before.log.base, after.base)
  return now === text ? undefined : now
}

/** Every file that is changed, removed or made, and the lock: whoever has it open is about to write. */
export function touchedBy(path: string, sheets: readonly Sheet[], base: string | undefined): string[] {
  const folder = join(path, eventsFolder)
  const names = readdirSync(folder)
  const kept = new Set(
    sheets.filter(({ name, from, text }) => name === from && text === undefined).map(({ name }) => name),
  )
  const count = names.filter(isEventName).length
  const gone = names.filter(
    name => (isEventName(name) && !kept.has(name)) || (isMarker(name) && count !== sheets.length),
  )
  const come = sheets.map(({ name }) => name).filter(name => !kept.has(name))
  const locks = names.filter(name => name === '.eventlog.lock')
  const files = [...new Set([...gone, ...come, ...locks])].map(name => join(folder, name))
  return base === undefined ? files : [join(path, baseName), ...files]
}

/** It says how many events there are; without one the program counts them. */
const isMarker = (name: string): boolean => /^\.eventlog-count-\d+\.marker$/.test(name)

/** Puts the mended conversation in the place of the old one. */
export function writeFolder(
  path: string,
  before: Folder,
  sheets: readonly Sheet[],
  base: string | undefined,
  last: LastLook | undefined,
): void {
  const events = join(path, eventsFolder)
  const count = readdirSync(events).filter(isEventName).length
  const stays = (name: string): boolean => !isEventName(name) && !(isMarker(name) && count !== sheets.length)
  const build = (folder: string): void => {
    const fresh = join(folder, eventsFolder)
    mirror(path, folder, name => name !== eventsFolder && !(name === baseName && base !== undefined))
    if (base !== undefined) writeLike(join(folder, baseName), base, join(path, baseName))
    mkdirSync(fresh)
    mirror(events, fresh, stays)
    for (const { name, from, text } of sheets) {
      if (text === undefined) link(join(events, from), join(fresh, name))
      else writeLike(join(fresh, name), text(), join(events, from))
    }
    for (const [made, like] of [
      [fresh, events],
      [folder, path],
    ])
      wear(made, like)
  }
  swapFolder(path, build, () => stampOf(path) === before.stamp, last)
}

/** The same files in another folder, without a copy of their bytes where the file system can do that. */
function mirror(from: string, to: string, wanted: (name: string) => boolean): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, fresh] = [join(from, entry.name), join(to, entry.name)]
    if (!wanted(entry.name)) continue
    if (entry.isDirectory()) {
      mkdirSync(fresh)
      mirror(old, fresh, () => true)
      wear(fresh, old)
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), fresh)
    else if (entry.isFile()) link(old, fresh)
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    const { atime, mtime } = lstatSync(from)
    utimesSync(to, atime, mtime)
  }
}

function wear(folder: string, like: string): void {
  const handle = openSync(folder, 'r')
  try {
    wearLike(handle, like)
  } finally {
    closeSync(handle)
  }
}

function writeLike(path: string, text: string, like: string): void {
  const bytes = Buffer.from(text)
  const handle = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    wearLike(handle, like)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
