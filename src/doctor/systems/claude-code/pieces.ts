import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../core/conversation.ts'

/** A stretch of a line that is a record, or that is none because a write was cut off. */
export interface Piece {
  readonly start: number
  readonly end: number
  /** Absent if it is torn. */
  readonly value?: unknown
}

/**
 * The records of a line: one, or several if a line break was lost, or if a crash tore a line and the next write went on
 * behind it. Nothing if it holds no record that can be read.
 */
export function piecesOf(bytes: Buffer): readonly Piece[] {
  if (!isUtf8(bytes)) return []
  const value = parse(bytes.toString())
  if (value !== undefined) return [{ start: 0, end: bytes.length, value }]
  return apart(bytes)
}

/**
 * Parts a line at the beginnings of whole linked records, from its end. Where an object that ends at a place begins is told by its
 * brackets alone, so every byte is looked at a fixed number of times.
 */
function apart(bytes: Buffer): Piece[] {
  const pieces: Piece[] = []
  let end = bytes.length
  const first = bytes.findIndex(byte => !isSpace(byte))
  for (let start = startOfObject(bytes, end); start > first; start = startOfObject(bytes, end)) {
    const value = parse(bytes.toString('utf8', start, end))
    if (!isLinked(value)) break
    pieces.push({ start, end, value })
    end = start
  }
  if (pieces.length === 0) return []
  const value = parse(bytes.toString('utf8', 0, end))
  return [{ start: 0, end, ...(value !== undefined && { value }) }, ...pieces.reverse()]
}

/** Where the object begins that ends in front of `end`, if there is a whole one, as the program begins its records; else -1. */
function startOfObject(bytes: Buffer, end: number): number {
  let depth = 0
  let isInText = false
  for (let at = end - 1; at >= 0; at--) {
    const byte = bytes[at]
    if (byte === quote) {
      let before = at
      while (before > 0 && bytes[before - 1] === backslash) before--
      // A quote after an odd number of backslashes is part of a text.
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

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

const isLinked = (value: unknown): boolean =>
  isRecord(value) && typeof value.uuid === 'string' && typeof value.timestamp === 'string'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
