/**
 * A longest subsequence of items whose numbers increase: what can stay in place when the list is sorted. `tails` has, for
 * each length, the end of the subsequence with the smallest last number.
 */
export function longestIncreasingSubsequence<T>(items: readonly T[], numberOf: (item: T) => number): T[] {
  const tails: Chain<T>[] = []
  for (const item of items) {
    const number = numberOf(item)
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const tail = tails[middle]
      if (tail && tail.number < number) low = middle + 1
      else high = middle
    }
    tails[low] = { item, number, before: tails[low - 1] }
  }
  const increasing: T[] = []
  for (let chain = tails.at(-1); chain; chain = chain.before) increasing.push(chain.item)
  return increasing.reverse()
}

/** An item, and the one before it in its subsequence. */
interface Chain<T> {
  readonly item: T
  readonly number: number
  readonly before: Chain<T> | undefined
}
