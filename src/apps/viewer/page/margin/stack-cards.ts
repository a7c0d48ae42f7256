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
  const fixed = Math.max(0, open)
  let free = Number.NEGATIVE_INFINITY
  const down = wanted.slice(fixed).map(({ top, height }) => {
    const placed = Math.max(top, free)
    free = placed + height + gap
    return placed
  })
  let [next = Number.POSITIVE_INFINITY] = down
  const up = wanted
    .slice(0, fixed)
    .reverse()
    .map(({ top, height }) => {
      next = Math.min(top, next - height - gap)
      return next
    })
  return [...up.reverse(), ...down]
}
