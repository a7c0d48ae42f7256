/**
 * Where rows stand. All have the height of a folded row but a few, which were unfolded and measured: the place of any row
 * is a product and a sum over those few.
 */
export interface Heights {
  readonly folded: number
  readonly count: number
  /** The rows that are not folded, in order, with what they have beyond the folded height, summed up to and with each. */
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

/** The upper edge of a row. Of the row behind the last: the height of everything. */
export function topOf({ folded, unfolded }: Heights, row: number): number {
  return row * folded + (unfolded[before(unfolded, row) - 1]?.sum ?? 0)
}

/** The row that covers a height, the first or last one if it is outside. */
export function rowAt(heights: Heights, top: number): number {
  let [low, high] = [0, heights.count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (topOf(heights, middle) <= top) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** How many of the unfolded rows stand before this one. */
function before(unfolded: Heights['unfolded'], row: number): number {
  let [low, high] = [0, unfolded.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (unfolded[middle].row < row) low = middle + 1
    else high = middle
  }
  return low
}
