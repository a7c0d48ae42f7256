/** The wanted position and the height of a card in the margin. */
export interface CardPosition {
  readonly top: number
  readonly height: number
}

/**
 * Places the cards in order without overlap, each as near to its wanted position as possible. The open card stays at its position: the
 * cards before it move up, those after it move down.
 */
export function stackCards(wanted: readonly CardPosition[], open: number, gap: number): readonly number[] {
  const tops = wanted.map(({ top }) => top)
  for (let index = Math.max(1, open + 1); index < tops.length; index++)
    tops[index] = Math.max(tops[index], tops[index - 1] + wanted[index - 1].height + gap)
  for (let index = open - 1; index >= 0; index--)
    tops[index] = Math.min(tops[index], tops[index + 1] - wanted[index].height - gap)
  return tops
}
