/** The indexes in `after` of a longest common subsequence of the two lists. */
export function commonLines(before: readonly string[], after: readonly string[]): Set<number> {
  const rows = before.map(() => new Array<number>(after.length).fill(0))
  const most = (a: number, b: number): number => rows[a]?.[b] ?? 0
  for (const [a, row] of [...rows.entries()].reverse())
    for (let b = after.length - 1; b >= 0; b--)
      row[b] = before[a] === after[b] ? most(a + 1, b + 1) + 1 : Math.max(most(a + 1, b), most(a, b + 1))
  const common = new Set<number>()
  for (let a = 0, b = 0; a < before.length && b < after.length; )
    if (before[a] === after[b]) {
      common.add(b)
      a++
      b++
    } else if (most(a + 1, b) >= most(a, b + 1)) a++
    else b++
  return common
}
