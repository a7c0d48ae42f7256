import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { link, mirror, setOwnerAndTimes, writeLike } from '../../files/mirror-folder.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { AssertUnused } from '../../files/swap-file.ts'
import { swapFolder } from '../../files/swap-folder.ts'
import type { StoredEvent } from './event.ts'
import { baseStateName, type EventLog, eventFileName, eventsFolder, type Folder, isEventName, stampOf } from './log.ts'
import { madeText, rewritten, rewrittenBase } from './rewrite.ts'

/** A file of the new folder: its name, and the file that it comes from. */
export interface PlannedFile {
  readonly name: string
  /** The file whose bytes it has, or whose owner and times. */
  readonly from: string
  /** Its new text, made when it is written. */
  readonly text?: () => string
}

/** The files of the events of a repaired log, in order. */
export function plannedFiles(path: string, before: Folder, after: EventLog): PlannedFile[] {
  const known = new Map(before.log.events.map(event => [event.file, event]))
  const textOf = (file: string): string => readRegularFile(join(path, eventsFolder, file)).toString()
  let like = ''
  return after.events.map((event, number): PlannedFile => {
    const name = nameFor(event, number)
    const from = event.file ?? like
    like = from
    if (event.file === undefined) return { name, from, text: () => madeText(event, textOf(from)) }
    const old = known.get(from) as StoredEvent
    return event === old ? { name, from } : { name, from, text: () => rewritten(textOf(from), old, event) }
  })
}

/** An id that is not valid in a file name is left out. */
function nameFor({ id, file }: StoredEvent, number: number): string {
  const name = eventFileName(number, id)
  return isEventName(name) || file === undefined
    ? name
    : file.replace(/^event-\d+/, name.slice(0, name.indexOf('-', 6)))
}

/** The new text of the base state, if it changes. */
export function baseTextOf(path: string, before: Folder, after: EventLog): string | undefined {
  if (before.log.base === after.base) return undefined
  const text = readRegularFile(join(path, baseStateName)).toString()
  const now = rewrittenBase(text, before.log.base, after.base)
  return now === text ? undefined : now
}

/** Every file that is changed, removed or created, and the lock: a process that has it open is about to write. */
export function touchedBy(path: string, files: readonly PlannedFile[], base: string | undefined): string[] {
  const folder = join(path, eventsFolder)
  const names = readdirSync(folder)
  const kept = new Set(
    files.filter(({ name, from, text }) => name === from && text === undefined).map(({ name }) => name),
  )
  const count = names.filter(isEventName).length
  const gone = names.filter(
    name => (isEventName(name) && !kept.has(name)) || (isMarker(name) && count !== files.length),
  )
  const come = files.map(({ name }) => name).filter(name => !kept.has(name))
  const locks = names.filter(name => name === '.eventlog.lock')
  const touched = [...new Set([...gone, ...come, ...locks])].map(name => join(folder, name))
  return base === undefined ? touched : [join(path, baseStateName), ...touched]
}

/** It holds the number of events; without one the program counts them. */
const isMarker = (name: string): boolean => /^\.eventlog-count-\d+\.marker$/.test(name)

/** Replaces the old conversation with the repaired one. */
export function writeFolder(
  path: string,
  before: Folder,
  files: readonly PlannedFile[],
  base: string | undefined,
  assertUnused: AssertUnused | undefined,
): void {
  const events = join(path, eventsFolder)
  const count = readdirSync(events).filter(isEventName).length
  const stays = (name: string): boolean => !isEventName(name) && !(isMarker(name) && count !== files.length)
  const build = (folder: string): void => {
    const fresh = join(folder, eventsFolder)
    mirror(path, folder, name => name !== eventsFolder && !(name === baseStateName && base !== undefined))
    if (base !== undefined) writeLike(join(folder, baseStateName), base, join(path, baseStateName))
    mkdirSync(fresh)
    mirror(events, fresh, stays)
    for (const { name, from, text } of files) {
      if (text === undefined) link(join(events, from), join(fresh, name))
      else writeLike(join(fresh, name), text(), join(events, from))
    }
    setOwnerAndTimes(fresh, events)
    setOwnerAndTimes(folder, path)
  }
  swapFolder(path, build, place => stampOf(place) === before.stamp, assertUnused)
}
