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

/** Parts a line at the beginnings of whole linked records, from behind. */
function apart(bytes: Buffer): Piece[] {
  const pieces: Piece[] = []
  let end = bytes.length
  let tries = 0
  for (let start = bytes.lastIndexOf(opening, end - 1); start > 0 && tries < triesMax; ) {
    const value = parse(bytes.toString('utf8', start, end))
    if (isLinked(value)) {
      pieces.unshift({ start, end, value })
      end = start
      const rest = parse(bytes.toString('utf8', 0, end))
      if (rest !== undefined) return [{ start: 0, end, value: rest }, ...pieces]
    }
    tries++
    start = bytes.lastIndexOf(opening, start - 1)
  }
  return pieces.length === 0 ? [] : [{ start: 0, end }, ...pieces]
}

/** How every record begins that the program writes. A longer search would let a hostile line cost its length squared. */
const opening = Buffer.from('{"')
const triesMax = 2_000

const isLinked = (value: unknown): boolean =>
  isRecord(value) && typeof value.uuid === 'string' && typeof value.timestamp === 'string'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
