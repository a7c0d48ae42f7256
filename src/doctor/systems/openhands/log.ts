import { isUtf8 } from 'node:buffer'
import { type BigIntStats, closeSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { failureReason, fileError } from '../../files/file-error.ts'
import { mustBeNoLink } from '../../files/no-links.ts'
import { openRegularFile } from '../../files/regular-file.ts'
import { eventOf, type StoredEvent } from './event.ts'

/** A conversation as it is read from its folder, or as it will be. */
export interface EventLog {
  /** In the order of their numbers. */
  readonly events: readonly StoredEvent[]
  readonly base: Base
}

/** The fields of the base state that refer to events. Missing ones are absent. */
export interface Base {
  readonly leaf?: string
  readonly isEmpty?: boolean
  readonly status?: string
  readonly lastUser?: string
}

/** The other content of the folder. */
export interface Folder {
  readonly log: EventLog
  readonly id?: string
  readonly title?: string
  /** Files with names of events that hold none, with their bytes. */
  readonly bad: readonly { readonly file: string; readonly bytes: Buffer }[]
  /** The times and sizes of all files, to detect a change. */
  readonly stamp: string
}

export const eventsFolder = 'events'
export const baseStateName = 'base_state.json'

const eventName = /^event-(\d{5,})-([0-9a-fA-F-]{8,})\.json$/

export const isEventName = (name: string): boolean => eventName.test(name)

export const eventFileName = (number: number, id: string): string =>
  `event-${String(number).padStart(5, '0')}-${id}.json`

/** The number of an event, from its file name. */
export const numberOf = (file: string): number => Number(eventName.exec(file)?.[1])

/** Reads a conversation. Throws a one-line error if something in it cannot be read. */
export function readFolder(path: string): Folder {
  for (const name of [baseStateName, eventsFolder]) mustBeNoLink(join(path, name))
  const state = readThrough(join(path, baseStateName), '')
  const { base, id, title } = readBase(join(path, baseStateName), state.bytes)
  const stamps = [state.stamp]
  const found: { readonly number: number; readonly event: StoredEvent }[] = []
  const bad: { file: string; bytes: Buffer }[] = []
  for (const file of eventFiles(join(path, eventsFolder))) {
    const { bytes = Buffer.alloc(0), stamp } = readThrough(join(path, eventsFolder, file), file)
    stamps.push(stamp)
    const value = parsed(bytes)
    const [, number, nameId = ''] = eventName.exec(file) as RegExpExecArray
    if (isRecord(value)) found.push({ number: Number(number), event: eventOf(value, file, nameId) })
    else bad.push({ file, bytes })
  }
  found.sort((a, b) => a.number - b.number || inOrder(a.event, b.event))
  const events = found.map(({ event }) => event)
  return { log: { events, base }, bad, stamp: stamps.join('\n'), ...(id ? { id } : {}), ...(title ? { title } : {}) }
}

/** Of two events with one number, the one that the other is attached to comes first, then the older one. */
function inOrder(a: StoredEvent, b: StoredEvent): number {
  if (a.parent === b.id || b.parent === a.id) return a.parent === b.id ? 1 : -1
  return a.time < b.time ? -1 : a.time > b.time ? 1 : a.id < b.id ? -1 : 1
}

/**
 * Identifies the state of a conversation as it was read: events are added and removed as files, and the base state is
 * replaced.
 */
export function stampOf(path: string): string {
  const files = ['', ...eventFiles(join(path, eventsFolder))]
  return files
    .map(file => {
      const whole = file === '' ? join(path, baseStateName) : join(path, eventsFolder, file)
      return stampWith(file, statSync(whole, { bigint: true, throwIfNoEntry: false }))
    })
    .join('\n')
}

const stampWith = (file: string, stat: BigIntStats | undefined): string =>
  stat ? `${file} ${stat.ino} ${stat.size} ${stat.mtimeNs}` : file

function eventFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => eventName.test(name))
    const link = entries.find(entry => !entry.isFile())
    if (link) throw fileError(join(folder, link.name), 'it is a link or a folder where an event should be')
    return entries.map(({ name }) => name).sort()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw (error as { code?: string }).code === 'unreadable' ? error : fileError(folder, failureReason(error))
  }
}

/** The bytes of a file, and the identity of this version; no bytes if it does not exist. */
function readThrough(path: string, file: string): { bytes?: Buffer; stamp: string } {
  let handle: number | undefined
  try {
    handle = openRegularFile(path)
    const stat = fstatSync(handle, { bigint: true })
    if (stat.size > bytesMax) throw fileError(path, 'it is larger than 256 MB')
    return { bytes: readFileSync(handle), stamp: stampWith(file, stat) }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return { stamp: file }
    throw code === 'unreadable' ? error : fileError(path, failureReason(error))
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

const bytesMax = 256 * 1024 * 1024

function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString().replace(/^\uFEFF/, '')
  return tryParseJson(text) ?? tryParseJson(text.replace(notNumbers, 'null'))
}

/** Python reads and writes numbers that JSON does not have. */
const notNumbers = /(?:NaN|-?Infinity)(?<=[:,[]\s*(?:NaN|-?Infinity))(?=\s*[,\]}])/g

function readBase(path: string, bytes: Buffer | undefined): { base: Base; id?: string; title?: string } {
  if (!bytes) return { base: {} }
  const value = parsed(bytes)
  if (!isRecord(value)) throw fileError(path, 'it is cut off or not JSON, so OpenHands cannot load the conversation')
  const {
    leaf_event_id: leaf,
    head_is_empty: isEmpty,
    execution_status: status,
    last_user_message_id: lastUser,
  } = value
  const title = isRecord(value.tags) ? value.tags.title : undefined
  const base: Base = {
    ...(typeof leaf === 'string' ? { leaf } : {}),
    ...(isEmpty === true ? { isEmpty } : {}),
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof lastUser === 'string' ? { lastUser } : {}),
  }
  return {
    base,
    ...(typeof value.id === 'string' ? { id: value.id } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  }
}
