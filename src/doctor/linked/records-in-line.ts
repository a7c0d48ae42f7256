import { isUtf8 } from 'node:buffer'
import { tryParseJson } from '../../core/json/try-parse-json.ts'

/** A range of a line that is a record, or the rest of one whose write was cut off. */
export interface LineRecord {
  readonly start: number
  readonly end: number
  /** Absent if it is torn. */
  readonly value?: unknown
}

/**
 * The records of a line: one, or several if a line break was lost, or if a crash cut a line and the next write
 * continued on it. Empty if it holds no readable record. `isOfProgram` tells a record of the program from an object
 * inside of one.
 */
export function recordsInLine(bytes: Buffer, isOfProgram: (value: unknown) => boolean): readonly LineRecord[] {
  if (!isUtf8(bytes)) return []
  const value = tryParseJson(bytes.toString())
  if (value !== undefined) return [{ start: 0, end: bytes.length, value }]
  return apart(bytes, isOfProgram)
}

/**
 * Splits a line at the beginnings of complete records, from its end. The start of an object is found by its
 * brackets alone, so every byte is read a fixed number of times.
 */
function apart(bytes: Buffer, isOfProgram: (value: unknown) => boolean): LineRecord[] {
  const pieces: LineRecord[] = []
  let end = bytes.length
  const first = bytes.findIndex(byte => !isSpace(byte))
  for (let start = startOfObject(bytes, end); start > first; start = startOfObject(bytes, end)) {
    const value = tryParseJson(bytes.toString('utf8', start, end))
    if (!isOfProgram(value)) break
    pieces.push({ start, end, value })
    end = start
  }
  if (pieces.length === 0) return []
  const value = tryParseJson(bytes.toString('utf8', 0, end))
  return [{ start: 0, end, ...(value !== undefined && { value }) }, ...pieces.reverse()]
}

/** The start of the object that ends before `end`, if it is complete and begins like the program's records; else -1. */
function startOfObject(bytes: Buffer, end: number): number {
  let depth = 0
  let isInText = false
  for (let at = end - 1; at >= 0; at--) {
    const byte = bytes[at]
    if (byte === quote) {
      let before = at
      while (before > 0 && bytes[before - 1] === backslash) before--
      // A quote after an odd number of backslashes is part of a string.
      if ((at - before) % 2 === 0) isInText = !isInText
      at = before
    } else if (isInText) continue
    else if (byte === closingBrace || byte === closingBracket) depth++
    else if (byte === openingBrace || byte === openingBracket) {
      depth--
      if (depth === 0) return byte === openingBrace && bytes[at + 1] === quote ? at : -1
      if (depth < 0) return -1
    } else if (depth === 0 && !isSpace(byte)) return -1
  }
  return -1
}

const [quote, backslash] = Buffer.from('"\\')
const [openingBrace, closingBrace, openingBracket, closingBracket] = Buffer.from('{}[]')

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
