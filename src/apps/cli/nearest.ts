/** The names that someone may have meant, the likeliest first; none if nothing is near. */
export function nearest(word: string, names: readonly string[], countMax = 3): string[] {
  const lower = word.toLowerCase()
  return names
    .map(name => ({ name, far: name.includes(lower) && lower.length > 2 ? 0 : distance(lower, name) }))
    .filter(({ name, far }) => far <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, countMax)
    .map(({ name }) => name)
}

/** How many letters must be put in, taken out or changed to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++)
      next.push(Math.min(row[at] + 1, next[at - 1] + 1, row[at - 1] + (letter === to[at - 1] ? 0 : 1)))
    row = next
  }
  return row[to.length]
}
