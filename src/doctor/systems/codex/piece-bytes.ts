import { valueAt } from '../../../core/invariant.ts'
import type { LineFile } from '../../line-file.ts'
import type { RolloutItem } from './item.ts'
import { elementsOf, payloadOf } from './item-text.ts'
import { rolloutPieces } from './recover-records.ts'

/** The bytes of some pieces of a rollout. */
export type PieceBytes = ReadonlyMap<number, Buffer>

/** Reads a rollout again, as far as needed, for the bytes of some of its pieces. */
export function readPieces({ lines }: Pick<LineFile, 'lines'>, pieces: readonly number[]): PieceBytes {
  const wanted = new Set(pieces.filter(piece => piece >= 0))
  const pieceBytes = new Map<number, Buffer>()
  if (wanted.size === 0) return pieceBytes
  let at = 0
  for (const { bytes } of rolloutPieces(lines())) {
    if (wanted.has(at)) pieceBytes.set(at, Buffer.from(bytes))
    at++
    if (pieceBytes.size === wanted.size) break
  }
  return pieceBytes
}

/** The text of an item whose record was read: its payload, or its element in the history of a compaction. */
export function itemText({ piece, inner }: RolloutItem, pieceBytes: PieceBytes): string {
  const bytes = pieceBytes.get(piece) as Buffer
  if (inner < 0) return payloadOf(bytes.toString())
  const elements = histories.get(bytes) ?? elementsOf(payloadOf(bytes.toString()))
  histories.set(bytes, elements)
  return valueAt(elements, inner)
}

/** A compaction can be large and is used often, so its elements are cached. */
const histories = new WeakMap<Buffer, readonly string[]>()

/** The time of a record that was read. */
export function recordTime(piece: number, pieceBytes: PieceBytes): string | undefined {
  const bytes = pieceBytes.get(piece)
  if (!bytes) return undefined
  const known = times.get(bytes)
  if (known !== undefined) return known
  const { timestamp } = JSON.parse(bytes.toString()) as { timestamp?: unknown }
  if (typeof timestamp !== 'string') return undefined
  times.set(bytes, timestamp)
  return timestamp
}

const times = new WeakMap<Buffer, string>()
