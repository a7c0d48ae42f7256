import type { RolloutItems } from './items.ts'
import { numberAt } from './pair.ts'

/**
 * After which item the result of each of these calls belongs: after the results of the calls made before it in the same
 * step, or after the last call of the step. `gone` are items that do not stay in place.
 */
export function resultPlaces(
  items: RolloutItems,
  wanting: ReadonlySet<number>,
  answer: Int32Array,
  gone: ReadonlySet<number>,
): Map<number, number> {
  const seats = new Map<number, number>()
  if (wanting.size === 0) return seats
  const after = (at: number): number => {
    let next = at + 1
    while (gone.has(next)) next++
    return next
  }
  const isBeside = (one: number, other: number): boolean => {
    const [inner, outer] = [items.inner(one), items.inner(other)]
    return inner < 0 ? outer < 0 : outer >= 0 && items.piece(one) === items.piece(other)
  }
  for (let at = after(-1); at < items.length; ) {
    if (!items.isCall(at)) {
      at = after(at)
      continue
    }
    const first = at
    const batch: number[] = []
    for (; at < items.length && items.isCall(at) && isBeside(at, first); at = after(at)) batch.push(at)
    const seated = new Set<number>()
    for (let result = at; result < items.length && items.isResult(result) && isBeside(result, first); ) {
      seated.add(result)
      result = after(result)
    }
    let seat = batch.at(-1) ?? first
    for (const call of batch) {
      const result = numberAt(answer, call)
      if (wanting.has(call)) seats.set(call, seat)
      else if (seated.has(result)) seat = result
    }
  }
  return seats
}
