/** A text in the pieces in which it is streamed: short ones, but never more than a few dozen. */
export function pieces(text: string): string[] {
  const letters = Array.from(text)
  const size = Math.max(sizeMin, Math.ceil(letters.length / countMax))
  const cut: string[] = []
  for (let at = 0; at < letters.length; at += size) cut.push(letters.slice(at, at + size).join(''))
  return cut
}

const sizeMin = 8
const countMax = 32
