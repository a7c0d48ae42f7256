import type { Role } from '../../../../core/conversation.ts'

/** The measures of the gutter: one vertical line per role, and next to them the lanes of the arcs. */
export interface Gutter {
  readonly width: number
  /** The distance between the lines. */
  readonly line: number
  /** The position of the first lane, and the space for the others. */
  readonly lane: number
  readonly reach: number
}

export const wideGutter: Gutter = { width: 146, line: 17, lane: 88, reach: 56 }
export const narrowGutter: Gutter = { width: 76, line: 10, lane: 50, reach: 25 }

const order: readonly Role[] = ['system', 'user', 'assistant', 'tool']

export const gutterRoles: readonly Role[] = order

/** The horizontal position of the markers of a role. */
export function markerX(gutter: Gutter, role: Role): number {
  const line = role === 'other' ? 0 : order.indexOf(role)
  return gutter.line * 0.7 + line * gutter.line
}

/** The horizontal position of a lane: the further out, the closer the lanes are. */
export const laneX = ({ lane: first, reach }: Gutter, lane: number): number => first + reach * (1 - 0.78 ** lane)
