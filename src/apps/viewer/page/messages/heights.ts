import type { OpenedDocument } from '../../document-service.ts'

/**
 * The heights of all rows, as prefix sums over the few that are unfolded. All others have the height of a folded row, so the position of any
 * row is a product and a prefix sum.
 */
export interface Heights {
  readonly folded: number
  readonly count: number
  /** The unfolded rows, in order, each with the sum of the extra heights up to it. */
  readonly unfolded: readonly { readonly row: number; readonly sum: number }[]
}

export function heightsOf(folded: number, count: number, measured: ReadonlyMap<number, number>): Heights {
  let sum = 0
  const unfolded = [...measured]
    .filter(([row]) => row < count)
    .sort(([one], [other]) => one - other)
    .map(([row, height]) => {
      sum += height - folded
      return { row, sum }
    })
  return { folded, count, unfolded }
}

/** The upper edge of a row. For the index after the last row: the total height. */
export function topOf({ folded, unfolded }: Heights, row: number): number {
  return row * folded + (unfolded[before(unfolded, row) - 1]?.sum ?? 0)
}

/** The row at a vertical position; the first or last one if it is outside. */
export function rowAt(heights: Heights, top: number): number {
  let [low, high] = [0, heights.count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (topOf(heights, middle) <= top) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** How many unfolded rows are before this one. */
function before(unfolded: Heights['unfolded'], row: number): number {
  let [low, high] = [0, unfolded.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = unfolded[middle]
    if (at && at.row < row) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of rows after the first `step` edits. */
export const rowsAt = (opened: OpenedDocument, step: number): number =>
  step === 0 ? opened.rows : (opened.steps[Math.min(step, opened.steps.length) - 1]?.rows ?? opened.rows)
