import type { Role } from '../../../../core/conversation.ts'

/** The measures of the gutter: a staff with one line a role, and beside it the lanes of the arcs. */
export interface Gutter {
  readonly width: number
  /** From one line of the staff to the next. */
  readonly line: number
  /** Where the first lane is, and how much room there is for the others. */
  readonly lane: number
  readonly reach: number
}

export const wideGutter: Gutter = { width: 146, line: 17, lane: 88, reach: 56 }
export const narrowGutter: Gutter = { width: 76, line: 10, lane: 50, reach: 25 }

const order: readonly Role[] = ['system', 'user', 'assistant', 'tool']

export const staff: readonly Role[] = order

/** Where the notes of a role stand. */
export function noteX(gutter: Gutter, role: Role): number {
  const line = role === 'other' ? 0 : order.indexOf(role)
  return gutter.line * 0.7 + line * gutter.line
}

/** The first lanes stand apart; the further out, the closer they are. */
export const laneX = ({ lane: first, reach }: Gutter, lane: number): number => first + reach * (1 - 0.78 ** lane)
