import type { LineFile } from '../../line-file.ts'
import type { Repeat } from './diagnose.ts'
import type { Items } from './items.ts'
import { type Taken, take, takenText } from './take.ts'

/** Items that were written twice, or whose id is that of another: suspects are read again and compared. */
export function repeatsIn(items: Items, file: Pick<LineFile, 'lines'>): Repeat[] {
  const suspects = suspectsIn(items)
  const pieces = suspects.flat().map(at => items.piece(at))
  const taken = take(file, pieces)
  return suspects.flatMap(group => repeatsAmong(items, group, taken))
}

function repeatsAmong(items: Items, [first, ...others]: readonly number[], taken: Taken): Repeat[] {
  const one = payloadAt(items, first, taken)
  const text = JSON.stringify(one)
  return others.flatMap(at => {
    const other = payloadAt(items, at, taken)
    const isSame = JSON.stringify(other) === text
    return isSame || (typeof other.id === 'string' && other.id === one.id) ? [{ at, first, isSame }] : []
  })
}

const payloadAt = (items: Items, at: number, taken: Taken): Record<string, unknown> =>
  JSON.parse(takenText(items.item(at), taken))

/** Those whose ids seem equal, and calls with one id, the first of them first. */
function suspectsIn(items: Items): number[][] {
  const groups = new Map<number, number[]>()
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

/** Sorted, a long list of numbers tells its repeats at little cost. */
function keysSeenTwice(items: Items): Set<number> {
  const keys = new Float64Array(items.length)
  for (let at = 0; at < items.length; at++) keys[at] = keyOf(items, at)
  keys.sort()
  const again = new Set<number>()
  for (let at = 1; at < keys.length; at++) if (keys[at] !== 0 && keys[at] === keys[at - 1]) again.add(keys[at])
  return again
}

/** Hashes are above 0; calls that have none count below. What stands elsewhere is not compared: 0. */
function keyOf(items: Items, at: number): number {
  if (items.piece(at) < 0) return 0
  const hash = items.hash(at)
  if (hash !== 0) return hash
  return items.isCall(at) && items.callId(at) !== '' ? -1 - items.key(at) : 0
}
