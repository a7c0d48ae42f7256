const biteMax = 4_000

/** Cuts a text into pieces that a browser lays out one by one, at line ends if there are any. */
export function bites(text: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > biteMax) {
    const end = text.lastIndexOf('\n', from + biteMax)
    const to = end > from ? end : from + biteMax
    pieces.push(text.slice(from, to))
    from = end > from ? to + 1 : to
  }
  return [...pieces, text.slice(from)]
}
