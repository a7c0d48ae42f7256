import type { Operations } from './count-operations.ts'

/** Work on input that is alike in everything but its length. What `prepare` returns is counted, not the making of the input. */
export interface Trial {
  readonly name: string
  prepare(length: number): (() => unknown) | Promise<() => unknown>
}

/** A place in the code that does more than the length of the input is worth. */
export interface Steep {
  readonly family: string
  readonly place: string
  /** How much it did at three lengths, each twice the one before. */
  readonly counts: readonly number[]
}

/**
 * The places that do more than three times as much for twice the length, twice in a row: linear work doubles, a sort grows a
 * little faster, and quadratic work is four times as much. A glance at two short inputs rules out almost all; what is bounded
 * by a number passes in the long ones.
 */
export async function findSteep(operations: Operations, { name, prepare }: Trial): Promise<Steep[]> {
  const countAt = async (lengths: readonly number[]): Promise<Map<string, number>[]> => {
    const counts: Map<string, number>[] = []
    for (const length of lengths) counts.push(await operations.count(await prepare(length)))
    return counts
  }
  const [short, longer] = await countAt([10, 40])
  if (![...longer].some(([place, count]) => count > 600 && count > 8 * (short.get(place) ?? 0))) return []
  const [small, middle, large] = await countAt([64, 128, 256])
  const steep: Steep[] = []
  for (const [place, count] of large) {
    const counts = [small.get(place) ?? 0, middle.get(place) ?? 0, count]
    if (count > 2_048 && counts[1] > 3 * counts[0] && counts[2] > 3 * counts[1])
      steep.push({ family: name, place, counts })
  }
  return steep
}
