import type { LineFile } from '../../line-file.ts'
import type { Item } from './item.ts'
import { elementsOf, payloadOf } from './item-text.ts'
import { piecesOf } from './salvage.ts'

/** The bytes of some pieces of a rollout. */
export type Taken = ReadonlyMap<number, Buffer>

/** Reads a rollout again, as far as it must be, for the bytes of some of its pieces. */
export function take({ lines }: Pick<LineFile, 'lines'>, pieces: readonly number[]): Taken {
  const wanted = new Set(pieces.filter(piece => piece >= 0))
  const taken = new Map<number, Buffer>()
  if (wanted.size === 0) return taken
  let at = 0
  for (const { bytes } of piecesOf(lines())) {
    if (wanted.has(at)) taken.set(at, Buffer.from(bytes))
    at++
    if (taken.size === wanted.size) break
  }
  return taken
}

/** The text of an item whose record was taken: its payload, or its place in the history of a compaction. */
export function takenText({ piece, inner }: Item, taken: Taken): string {
  const bytes = taken.get(piece) as Buffer
  if (inner < 0) return payloadOf(bytes.toString())
  const elements = histories.get(bytes) ?? elementsOf(payloadOf(bytes.toString()))
  histories.set(bytes, elements)
  return elements[inner]
}

/** A compaction can be large, and much may be asked of it: what was found in it is kept at hand. */
const histories = new WeakMap<Buffer, readonly string[]>()

/** The time of a record that was taken. */
export function takenTime(piece: number, taken: Taken): string | undefined {
  const bytes = taken.get(piece)
  if (!bytes) return undefined
  const known = times.get(bytes)
  if (known !== undefined) return known
  const { timestamp } = JSON.parse(bytes.toString()) as { timestamp?: unknown }
  if (typeof timestamp !== 'string') return undefined
  times.set(bytes, timestamp)
  return timestamp
}

const times = new WeakMap<Buffer, string>()
