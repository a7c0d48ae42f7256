import { type Fields, isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { type TapeEntry, type TapeHead, tapeVersion } from './entry.ts'

export interface TapeText {
  /** One for each writer, in the order in which they came. */
  readonly heads: readonly TapeHead[]
  /** In the order of the file, which is the order in which they were written. */
  readonly entries: readonly TapeEntry[]
  /** Lines that cannot be read, and places where lines are missing. */
  readonly faults: readonly TapeFault[]
  /** The last line is incomplete: its writer was stopped, or is still writing. */
  readonly cut: boolean
}

export interface TapeFault {
  /** From 1. */
  readonly line: number
  readonly reason: string
}

/** Whether a text starts with the head line of a tape. Of a writer that crashed, or whose disk was full, it may be cut off. */
export function isTape(text: string): boolean {
  const end = text.indexOf('\n')
  const first = text.slice(0, end < 0 ? text.length : end)
  if (first.length >= headMax) return false
  const head = parse(first)
  return head === broken ? first.startsWith('{"kind":"tape"') : isHead(head)
}

const headMax = 10_000

/** Reads a tape. Lines that cannot be read are left out and listed in `faults`. */
export function readTape(text: string): TapeText {
  const heads: TapeHead[] = []
  const entries: TapeEntry[] = []
  const faults: TapeFault[] = []
  const last = new Map<string, number>()
  let cut = false
  let start = text.startsWith('\ufeff') ? 1 : 0
  for (let line = 1; start < text.length; line++) {
    const feed = text.indexOf('\n', start)
    const value = parse(text.slice(start, feed < 0 ? text.length : feed))
    start = feed < 0 ? text.length : feed + 1
    if (value === blank) continue
    if (isHead(value)) {
      heads.push(value)
      if (value.version > tapeVersion)
        faults.push({ line, reason: `unsupported version ${value.version} (supported: up to ${tapeVersion})` })
    } else if (isEntry(value)) {
      const missing = value.order - (last.get(value.from) ?? 0) - 1
      last.set(value.from, value.order)
      if (missing > 0)
        faults.push({
          line,
          reason: `${missing} ${missing === 1 ? 'entry' : 'entries'} of the same writer missing before it`,
        })
      entries.push(value)
    } else if (feed < 0 && value === broken) cut = true
    else faults.push({ line, reason: value === broken ? 'not JSON' : 'not an entry of a tape' })
  }
  return { heads, entries, faults, cut }
}

const blank = Symbol('blank')
const broken = Symbol('broken')

function parse(line: string): unknown {
  if (line.trim() === '') return blank
  const value = tryParseJson(line)
  return value === undefined ? broken : value
}

const isHead = (value: unknown): value is TapeHead =>
  isRecord(value) && value.kind === 'tape' && typeof value.version === 'number' && typeof value.from === 'string'

function isEntry(value: unknown): value is TapeEntry {
  if (!isRecord(value) || !Number.isFinite(value.at) || !Number.isInteger(value.order)) return false
  if (typeof value.from !== 'string' || !['string', 'undefined'].includes(typeof value.thread)) return false
  const check = Object.hasOwn(hasFields, String(value.kind)) ? hasFields[value.kind as TapeEntry['kind']] : undefined
  return check?.(value) ?? false
}

/** The fields that an entry of each kind must have. */
const hasFields: Record<TapeEntry['kind'], (entry: Fields) => boolean> = {
  request: ({ id, url, wire, dialect }) => isText(id) && [url, wire, dialect].every(isTextOrNone),
  response: ({ request, status, refusal, reply }) =>
    isTextOrNone(request) &&
    (status === undefined || Number.isInteger(status)) &&
    isTextOrNone(refusal) &&
    (reply === undefined || (isRecord(reply) && Array.isArray(reply.messages))),
  'call-start': ({ call, name }) => isText(call) && isTextOrNone(name),
  'call-end': ({ call, name, status }) => isText(call) && isTextOrNone(name) && isText(status),
  input: () => true,
  interrupt: ({ reason }) => isTextOrNone(reason),
  repair: ({ request, repairs }) =>
    isTextOrNone(request) &&
    Array.isArray(repairs) &&
    repairs.every(
      repair => isRecord(repair) && isText(repair.rule) && isText(repair.at) && isTextOrNone(repair.callId),
    ),
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)
