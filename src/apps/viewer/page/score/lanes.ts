import type { Arc } from '../../desk.ts'

/** Beyond this, arcs share the outermost lane: a gutter has an end. */
const lanesMax = 9

export const arcName = ({ kind, id, from, to, lane }: Arc): string => `${kind} ${id} ${from} ${to} ${lane}`

/**
 * Gives each arc a lane in which it meets no other, short ones inside. What has a lane keeps it for as long as it is on
 * the screen, so that nothing jumps while one scrolls.
 */
export function assignLanes(arcs: readonly Arc[], kept: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>()
  const taken: { from: number; to: number }[][] = []
  const take = (arc: Arc, lane: number): void => {
    lanes.set(arcName(arc), lane)
    taken[lane] ??= []
    taken[lane].push(span(arc))
  }
  const isFree = (arc: Arc, lane: number): boolean => !taken[lane]?.some(other => overlaps(span(arc), other))
  for (const arc of arcs) {
    const lane = kept.get(arcName(arc))
    if (lane !== undefined) take(arc, lane)
  }
  for (const arc of [...arcs].sort(byLength)) {
    if (lanes.has(arcName(arc))) continue
    let lane = 0
    while (lane < lanesMax - 1 && !isFree(arc, lane)) lane++
    take(arc, lane)
  }
  return lanes
}

/** The stretch that an arc covers, in rows; one with an open end covers a row's height at it. */
export function span({ from, to }: Arc): { from: number; to: number } {
  if (from !== undefined && to !== undefined) return { from: Math.min(from, to), to: Math.max(from, to) }
  if (from !== undefined) return { from, to: from + 0.9 }
  if (to !== undefined) return { from: to - 0.9, to }
  return { from: 0, to: 0 }
}

const overlaps = (one: { from: number; to: number }, other: { from: number; to: number }): boolean =>
  one.from < other.to && other.from < one.to

function byLength(one: Arc, other: Arc): number {
  const [a, b] = [span(one), span(other)]
  return a.to - a.from - (b.to - b.from) || a.from - b.from || one.lane - other.lane
}
