/** The indexes of `after` whose lines stand in `before` too, in the same order: the most there can be. */
export function commonLines(before: readonly string[], after: readonly string[]): Set<number> {
  const most = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let a = before.length - 1; a >= 0; a--)
    for (let b = after.length - 1; b >= 0; b--)
      most[a][b] = before[a] === after[b] ? most[a + 1][b + 1] + 1 : Math.max(most[a + 1][b], most[a][b + 1])
  const common = new Set<number>()
  for (let a = 0, b = 0; a < before.length && b < after.length; )
    if (before[a] === after[b]) {
      common.add(b)
      a++
      b++
    } else if (most[a + 1][b] >= most[a][b + 1]) a++
    else b++
  return common
}
