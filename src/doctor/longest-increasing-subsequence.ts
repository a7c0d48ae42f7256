/** The indexes of a longest increasing subsequence: what can stay in place when a list is sorted. */
export function longestIncreasingSubsequence(numbers: readonly number[]): number[] {
  const tails: number[] = []
  const before = new Int32Array(numbers.length)
  for (let index = 0; index < numbers.length; index++) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[tails[middle]] < numbers[index]) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? tails[low - 1] : -1
    tails[low] = index
  }
  const increasing: number[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) increasing.push(index)
  return increasing.reverse()
}
