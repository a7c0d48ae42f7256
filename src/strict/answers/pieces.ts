/** A text split into the chunks in which it is streamed: short ones, but at most a few dozen. */
export function streamPieces(text: string): string[] {
  const letters = Array.from(text)
  const size = Math.max(sizeMin, Math.ceil(letters.length / countMax))
  const cut: string[] = []
  for (let at = 0; at < letters.length; at += size) cut.push(letters.slice(at, at + size).join(''))
  return cut
}

const sizeMin = 8
const countMax = 32
