/** The names that are close to a mistyped one, the closest first. */
export function nearest(word: string, names: readonly string[], countMax = 3): string[] {
  const lower = word.toLowerCase()
  return names
    .map(name => ({ name, far: name.includes(lower) && lower.length > 2 ? 0 : distance(lower, name) }))
    .filter(({ name, far }) => far <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, countMax)
    .map(({ name }) => name)
}

/** The edit distance (Levenshtein) of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    let [corner = 0] = row
    let left = index + 1
    const next = [left]
    for (const [at, above] of row.slice(1).entries()) {
      left = Math.min(above + 1, left + 1, corner + (letter === to[at] ? 0 : 1))
      corner = above
      next.push(left)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
