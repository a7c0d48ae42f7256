import type { Arc } from '../../document-service.ts'
import { type Gutter, laneX, markerX } from './gutter.ts'

/** How an arc is drawn: its line, and the symbol at an end without a call or result. */
export interface ArcPath {
  readonly line: string
  readonly end?: { readonly x: number; readonly y: number; readonly symbol: 'ring' | 'pause' }
}

/** How far an open end is from its marker, and the maximum height of the bend of a long arc. */
const openLength = 30
const bendMax = 44
/** Half of the width of a marker, and the space around it. */
const markerRadius = 7

/**
 * From a marker to its lane, along the lane, and to the other marker. `heightOf` is the vertical position of the marker of a row. Ends far
 * outside of `edges` are drawn just outside of them.
 */
export function arcPath(
  arc: Arc,
  lane: number,
  gutter: Gutter,
  heightOf: (row: number) => number,
  edges: readonly [number, number],
): ArcPath {
  const x = laneX(gutter, lane)
  const near = (row: number): number =>
    Math.min(edges[1] + bendMax * 2, Math.max(edges[0] - bendMax * 2, heightOf(row)))
  const call = markerX(gutter, 'assistant') + markerRadius
  const result = markerX(gutter, 'tool') + markerRadius
  if (arc.from !== undefined && arc.to !== undefined) {
    if (arc.from === arc.to) return { line: loop(call, near(arc.from), x) }
    return { line: bow(call, near(arc.from), x, near(arc.to), result) }
  }
  if (arc.from !== undefined) {
    const y = near(arc.from)
    const end = y + openLength
    return {
      line: `M${call} ${y}${bend(call, y, x, y + 18)}V${end - 4}`,
      end: { x, y: end, symbol: arc.kind === 'waiting' ? 'pause' : 'ring' },
    }
  }
  const y = near(arc.to ?? 0)
  const start = y - openLength
  return { line: `M${x} ${start + 4}V${y - 18}${bendBack(x, y - 18, result, y)}`, end: { x, y: start, symbol: 'ring' } }
}

function bow(x0: number, y0: number, x: number, y1: number, x1: number): string {
  const height = Math.sign(y1 - y0) * Math.min(bendMax, Math.abs(y1 - y0) / 2)
  return `M${x0} ${y0}${bend(x0, y0, x, y0 + height)}V${y1 - height}${bendBack(x, y1 - height, x1, y1)}`
}

/** A call and its result in one message. */
const loop = (x0: number, y: number, x: number): string =>
  `M${x0} ${y - 5}C${x} ${y - 12} ${x} ${y + 12} ${x0} ${y + 5}`

/** A quarter of an ellipse: the control points of a cubic Bézier curve are at 0.55 for that. */
const bend = (x0: number, y0: number, x: number, y: number): string =>
  `C${x0 + (x - x0) * 0.55} ${y0} ${x} ${y - (y - y0) * 0.55} ${x} ${y}`

const bendBack = (x: number, y: number, x1: number, y1: number): string =>
  `C${x} ${y + (y1 - y) * 0.55} ${x1 + (x - x1) * 0.55} ${y1} ${x1} ${y1}`
