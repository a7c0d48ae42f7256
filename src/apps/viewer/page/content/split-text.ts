const chunkMax = 4_000

/** Splits a long text into chunks, at line ends if possible, so that the browser lays them out one by one. */
export function splitText(text: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > chunkMax) {
    const end = text.lastIndexOf('\n', from + chunkMax)
    const to = end > from ? end : from + chunkMax
    pieces.push(text.slice(from, to))
    from = end > from ? to + 1 : to
  }
  return [...pieces, text.slice(from)]
}
