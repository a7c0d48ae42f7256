import type { Arc } from '../../document-service.ts'

/** With more lanes, arcs share the outermost one. */
const lanesMax = 9

export const arcKey = ({ kind, id, from, to, lane }: Arc): string => `${kind} ${id} ${from} ${to} ${lane}`

/**
 * Gives each arc a lane where it overlaps no other, short arcs inside. An arc keeps its lane while it is on the screen, so that nothing
 * jumps while scrolling.
 */
export function assignLanes(arcs: readonly Arc[], kept: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>()
  const taken: { from: number; to: number }[][] = []
  const take = (arc: Arc, lane: number): void => {
    lanes.set(arcKey(arc), lane)
    taken[lane] ??= []
    taken[lane].push(rowRange(arc))
  }
  const isFree = (arc: Arc, lane: number): boolean => !taken[lane]?.some(other => overlaps(rowRange(arc), other))
  for (const arc of arcs) {
    const lane = kept.get(arcKey(arc))
    if (lane !== undefined) take(arc, lane)
  }
  for (const arc of [...arcs].sort(byLength)) {
    if (lanes.has(arcKey(arc))) continue
    let lane = 0
    while (lane < lanesMax - 1 && !isFree(arc, lane)) lane++
    take(arc, lane)
  }
  return lanes
}

/** The rows that an arc covers; at an open end, nearly one row. */
export function rowRange({ from, to }: Arc): { from: number; to: number } {
  if (from !== undefined && to !== undefined) return { from: Math.min(from, to), to: Math.max(from, to) }
  if (from !== undefined) return { from, to: from + 0.9 }
  if (to !== undefined) return { from: to - 0.9, to }
  return { from: 0, to: 0 }
}

const overlaps = (one: { from: number; to: number }, other: { from: number; to: number }): boolean =>
  one.from < other.to && other.from < one.to

function byLength(one: Arc, other: Arc): number {
  const [a, b] = [rowRange(one), rowRange(other)]
  return a.to - a.from - (b.to - b.from) || a.from - b.from || one.lane - other.lane
}
