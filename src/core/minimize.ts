/**
 * Delta debugging: the smallest sublist for which `shows` still holds, found by removing shorter and shorter runs.
 * `shows` is called with sublists only, in the order of the list.
 */
export function minimize<T>(items: readonly T[], shows: (items: readonly T[]) => boolean): readonly T[] {
  let kept = items
  for (let run = Math.ceil(kept.length / 2); run >= 1; ) {
    let changed = false
    for (let start = 0; start < kept.length; ) {
      const without = [...kept.slice(0, start), ...kept.slice(start + run)]
      if (without.length > 0 && shows(without)) {
        kept = without
        changed = true
      } else start += run
    }
    if (run === 1 && !changed) break
    run = run === 1 ? 1 : Math.ceil(run / 2)
  }
  return kept
}
