import type { LineFile } from '../../line-file.ts'
import type { Repeat } from './diagnose.ts'
import type { RolloutItems } from './items.ts'
import { itemText, type PieceBytes, readPieces } from './piece-bytes.ts'

/** Items that were written twice, or that share an id: candidates are read again and compared. */
export function repeatsIn(items: RolloutItems, file: Pick<LineFile, 'lines'>): Repeat[] {
  const suspects = suspectsIn(items)
  const pieces = suspects.flat().map(at => items.piece(at))
  const taken = readPieces(file, pieces)
  return suspects.flatMap(group => repeatsAmong(items, group, taken))
}

function repeatsAmong(items: RolloutItems, [first, ...others]: Suspects, taken: PieceBytes): Repeat[] {
  const one = payloadAt(items, first, taken)
  const text = JSON.stringify(one)
  return others.flatMap(at => {
    const other = payloadAt(items, at, taken)
    const isSame = JSON.stringify(other) === text
    return isSame || (typeof other.id === 'string' && other.id === one.id) ? [{ at, first, isSame }] : []
  })
}

const payloadAt = (items: RolloutItems, at: number, taken: PieceBytes): Record<string, unknown> =>
  JSON.parse(itemText(items.item(at), taken))

/** Items that may be one. */
type Suspects = [first: number, ...others: number[]]

/** Items whose ids seem equal, and calls with one id, the first of them first. */
function suspectsIn(items: RolloutItems): Suspects[] {
  const groups = new Map<number, Suspects>()
  const again = keysSeenTwice(items)
  if (again.size === 0) return []
  for (let at = 0; at < items.length; at++) {
    const key = keyOf(items, at)
    if (key === 0 || !again.has(key)) continue
    const known = groups.get(key)
    if (known) known.push(at)
    else groups.set(key, [at])
  }
  return [...groups.values()].filter(group => group.length > 1)
}

/** Sorting makes repeats in a long list of numbers cheap to find. */
function keysSeenTwice(items: RolloutItems): Set<number> {
  const keys = new Float64Array(items.length)
  for (let at = 0; at < items.length; at++) keys[at] = keyOf(items, at)
  keys.sort()
  const again = new Set<number>()
  let before = 0
  for (const key of keys) {
    if (key !== 0 && key === before) again.add(key)
    before = key
  }
  return again
}

/** Hashes are above 0; calls without one are below. Items of other rollouts are not compared: 0. */
function keyOf(items: RolloutItems, at: number): number {
  if (items.piece(at) < 0) return 0
  const hash = items.hash(at)
  if (hash !== 0) return hash
  return items.isCall(at) && items.callId(at) !== '' ? -1 - items.key(at) : 0
}
