import { valueAt } from '../../../core/invariant.ts'
import { keptAncestors } from '../../linked/lineages.ts'
import type { ChainPlan } from './plan.ts'
import { type RecordTree, root } from './tree.ts'

/** The end of the repaired chain, and the last record of the file: the one has to be written after the other. */
export interface MovedEnd {
  readonly item: number
  readonly after: number
}

/**
 * Versions since 2.1 continue at the last record of the file, however old it is, if the file has several leaves, and
 * always in a large file. A late result that is linked to its call would be the end there, and what follows it would not
 * be sent. Undefined if the last record leads to the end of the chain, and if the user went back: then a note names the end.
 */
export function endToMove(
  { items, relinked }: ChainPlan,
  chain: ReadonlySet<number>,
  order: readonly number[],
  { parents, kinds, starts, rewoundTo }: RecordTree,
): MovedEnd | undefined {
  if (rewoundTo !== undefined) return undefined
  const gone = new Set(order)
  const places = new Map<number, number>()
  for (const [index, { kind, node }] of items.entries())
    if (kind === 'kept') {
      gone.delete(node)
      places.set(node, index)
    }
  // What is attached next to the chain after its end needs no place of its own.
  const item = items.findLastIndex(({ kind, node }, index) => kind !== 'kept' || relinked.has(index) || chain.has(node))
  let last = root
  for (const [node, start] of starts.entries())
    if (!gone.has(node) && (last === root || start > valueAt(starts, last))) last = node
  const isNew = (index: number): boolean => items[index] !== undefined && items[index].kind !== 'kept'
  const keptAncestor = keptAncestors(parents, gone)
  /** The item that the program reads as the end if a node is the last record: the nearest one with content. */
  const endAt = (node: number): number => {
    const seen = new Set<number>()
    for (let at = node; at >= 0 && !seen.has(at); ) {
      seen.add(at)
      const place = places.get(at)
      if (kinds[at] !== 'other') return place ?? -1
      if (place === undefined || !relinked.has(place)) at = keptAncestor(at)
      else if (isNew(place - 1)) return place - 1
      else at = items[place - 1]?.node ?? root
    }
    return -1
  }
  // New records are written after the one that they follow.
  let end = places.get(last) ?? -1
  while (end >= 0 && isNew(end + 1)) end++
  if (end < 0 || !isNew(end)) end = endAt(last)
  return item < 0 || last === root || end >= item ? undefined : { item, after: last }
}
