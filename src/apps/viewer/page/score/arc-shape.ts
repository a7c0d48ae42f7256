import type { Arc } from '../../desk.ts'
import { type Gutter, laneX, noteX } from './gutter.ts'

/** How an arc is drawn: its line, and the mark at an end that leads nowhere. */
export interface ArcShape {
  readonly line: string
  readonly end?: { readonly x: number; readonly y: number; readonly mark: 'ring' | 'pause' }
}

/** How far an end that leads nowhere is from its note, and how wide the bend of a long arc is at most. */
const openLength = 30
const bendMax = 44
/** Half of the width of a note, and the air around it. */
const noteRadius = 7

/**
 * From a note out to its lane, along it, and back to the other note. `heightOf` tells where the note of a row stands; what
 * is far beyond `edges` is drawn as if it were just beyond them.
 */
export function arcShape(
  arc: Arc,
  lane: number,
  gutter: Gutter,
  heightOf: (row: number) => number,
  edges: readonly [number, number],
): ArcShape {
  const x = laneX(gutter, lane)
  const near = (row: number): number =>
    Math.min(edges[1] + bendMax * 2, Math.max(edges[0] - bendMax * 2, heightOf(row)))
  const call = noteX(gutter, 'assistant') + noteRadius
  const result = noteX(gutter, 'tool') + noteRadius
  if (arc.from !== undefined && arc.to !== undefined) {
    if (arc.from === arc.to) return { line: loop(call, near(arc.from), x) }
    return { line: bow(call, near(arc.from), x, near(arc.to), result) }
  }
  if (arc.from !== undefined) {
    const y = near(arc.from)
    const end = y + openLength
    return {
      line: `M${call} ${y}${bend(call, y, x, y + 18)}V${end - 4}`,
      end: { x, y: end, mark: arc.kind === 'waiting' ? 'pause' : 'ring' },
    }
  }
  const y = near(arc.to ?? 0)
  const start = y - openLength
  return { line: `M${x} ${start + 4}V${y - 18}${bendBack(x, y - 18, result, y)}`, end: { x, y: start, mark: 'ring' } }
}

function bow(x0: number, y0: number, x: number, y1: number, x1: number): string {
  const height = Math.sign(y1 - y0) * Math.min(bendMax, Math.abs(y1 - y0) / 2)
  return `M${x0} ${y0}${bend(x0, y0, x, y0 + height)}V${y1 - height}${bendBack(x, y1 - height, x1, y1)}`
}

/** A call and a result inside one message. */
const loop = (x0: number, y: number, x: number): string =>
  `M${x0} ${y - 5}C${x} ${y - 12} ${x} ${y + 12} ${x0} ${y + 5}`

/** A quarter of an ellipse: 0.55 is where the handles of a cubic curve must stand for that. */
const bend = (x0: number, y0: number, x: number, y: number): string =>
  `C${x0 + (x - x0) * 0.55} ${y0} ${x} ${y - (y - y0) * 0.55} ${x} ${y}`

const bendBack = (x: number, y: number, x1: number, y1: number): string =>
  `C${x} ${y + (y1 - y) * 0.55} ${x1 + (x - x1) * 0.55} ${y1} ${x1} ${y1}`
