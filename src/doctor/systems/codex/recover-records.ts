import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../core/conversation.ts'
import { endOfValue, skipSpace } from '../../../core/json/json-spans.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import { opening, unwantedRecord, type WantedRecords } from './unwanted-record.ts'

/**
 * A piece of a rollout: a record, a blank line, or the rest of a record whose write failed. A line is one piece, unless
 * a record was appended to the end of another.
 */
export interface RolloutPiece {
  readonly kind: 'record' | 'blank' | 'torn'
  readonly bytes: Buffer
  readonly ending: RawLine['ending']
  /** The number of its line in the file, from 0. */
  readonly line: number
  /** Another piece follows on the same line. */
  readonly isGlued: boolean
  /** Some of its bytes in the file are not text; `bytes` has question marks there. */
  readonly isSaved?: true
  /** The value of a record; absent if it is not wanted. */
  readonly value?: Readonly<Record<string, unknown>>
  /** The number of a record. */
  readonly ordinal?: unknown
}

/** The pieces of a rollout, in order. Valid until the next is read. */
export function* rolloutPieces(
  lines: Iterable<RawLine>,
  wantedRecords: WantedRecords = 'history',
): Generator<RolloutPiece> {
  let line = 0
  for (const { bytes, ending } of lines) {
    const unwanted = ending === '' ? undefined : unwantedRecord(bytes, wantedRecords)
    if (unwanted) yield { kind: 'record', bytes, ending, line, isGlued: false, ordinal: unwanted.ordinal }
    else {
      const whole = wholeRecord(bytes)
      if (whole) yield { kind: 'record', ending, line, isGlued: false, ...whole, ordinal: whole.value.ordinal }
      else if (isBlank(bytes)) yield { kind: 'blank', bytes, ending, line, isGlued: false }
      else yield* splitLine(bytes, ending, line)
    }
    line++
  }
}

function wholeRecord(bytes: Buffer): (Required<Split> & Pick<RolloutPiece, 'isSaved'>) | undefined {
  const value = recordOf(bytes)
  if (value) return { bytes, value }
  if (isUtf8(bytes)) return undefined
  const text = asText(bytes)
  const saved = recordOf(text)
  return saved && { bytes: text, value: saved, isSaved: true }
}

/** The same bytes with `?` for each that is not text. */
function asText(bytes: Buffer): Buffer {
  const text = Buffer.from(bytes)
  for (let at = 0; at < text.length; ) {
    const byte = text[at] ?? 0
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (length === 1 || isUtf8(text.subarray(at, at + length))) at += length
    else text[at++] = questionMark
  }
  return text
}

const questionMark = 0x3f

const isBlank = (bytes: Buffer): boolean => bytes.every(isSpace)

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d

function* splitLine(bytes: Buffer, ending: RawLine['ending'], line: number): Generator<RolloutPiece> {
  const parts = partsOf(bytes)
  for (const [index, { bytes, value }] of parts.entries()) {
    const isGlued = index < parts.length - 1
    const place = { bytes, ending: isGlued ? '' : ending, line, isGlued } as const
    yield value ? { kind: 'record', ...place, value, ordinal: value.ordinal } : { kind: 'torn', ...place }
  }
}

/** The value of a whole record. */
function recordOf(bytes: Buffer): Record<string, unknown> | undefined {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Split = Pick<RolloutPiece, 'bytes' | 'value'>

/**
 * The pieces of a line that is not a single record. Codex begins every record alike, and a quotation mark inside a
 * string is escaped, so a record that was appended to a torn one can be found.
 */
function partsOf(bytes: Buffer): Split[] {
  const starts = startsIn(bytes)
  const text = bytes.toString('latin1')
  const ends = new Set([...starts, bytes.length])
  const parts: Split[] = []
  let left = looksMax * bytes.length
  let torn = 0
  const close = (end: number): void => {
    if (end > torn) parts.push({ bytes: bytes.subarray(torn, end) })
  }
  for (const start of starts) {
    if (left <= 0) break
    if (start < torn) continue
    const after = endOfValue(text, start)
    const end = after === undefined ? undefined : skipSpace(text, after)
    left -= (end ?? bytes.length) - start
    if (end === undefined || !ends.has(end)) continue
    const piece = bytes.subarray(start, end)
    const value = recordOf(piece)
    if (!value) continue
    const found = { bytes: piece, value }
    close(start)
    parts.push(found)
    torn = start + found.bytes.length
  }
  close(bytes.length)
  return parts
}

/** How often the bytes of a line are read, on average: a line that was torn more often was not written by Codex. */
const looksMax = 8

function startsIn(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = bytes.indexOf(opening); at >= 0 && starts.length < startsMax; at = bytes.indexOf(opening, at + 1)) {
    starts.push(at)
  }
  return starts
}

/** A line with more beginnings was not written by Codex; the rest is ignored. */
const startsMax = 32
