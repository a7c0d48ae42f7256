/** What wants a place in the margin: where, and how tall it is. */
export interface Wish {
  readonly top: number
  readonly height: number
}

/**
 * Finds a place for each, in order, as near to its wish as the ones around it leave room. The one that is open has what it
 * wishes for: those before it give way upwards, those behind it downwards.
 */
export function stack(wishes: readonly Wish[], open: number, gap: number): readonly number[] {
  const tops = wishes.map(({ top }) => top)
  for (let index = Math.max(1, open + 1); index < tops.length; index++)
    tops[index] = Math.max(tops[index], tops[index - 1] + wishes[index - 1].height + gap)
  for (let index = open - 1; index >= 0; index--)
    tops[index] = Math.min(tops[index], tops[index + 1] - wishes[index].height - gap)
  return tops
}
