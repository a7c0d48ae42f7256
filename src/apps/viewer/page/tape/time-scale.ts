/** Maps times to positions from 0 to 1. */
export interface TimeScale {
  place(at: number): number
  /** Pauses that are drawn shortened. */
  readonly breaks: readonly TimeBreak[]
}

export interface TimeBreak {
  readonly place: number
  readonly ms: number
}

/**
 * A linear scale with long pauses shortened: otherwise a lunch break would squeeze everything before and after it into two dots.
 */
export function timeScale(times: readonly number[]): TimeScale {
  const sorted = [...new Set(times)].sort((one, other) => one - other)
  let [before = 0] = sorted
  const pauses = sorted.slice(1).map(at => {
    const ms = at - before
    before = at
    return { at, ms }
  })
  const most = pauseMax(pauses.map(({ ms }) => ms))
  const length = pauses.reduce((sum, { ms }) => sum + Math.min(ms, most), 0) || 1
  const places = new Map<number, number>()
  const breaks: TimeBreak[] = []
  let sum = 0
  for (const { at, ms } of pauses) {
    const part = Math.min(ms, most)
    if (ms > most) breaks.push({ place: (sum + part / 2) / length, ms })
    sum += part
    places.set(at, sum / length)
  }
  return { place: at => places.get(at) ?? 0, breaks }
}

/** Pauses are cut to ten times the median pause. */
function pauseMax(pauses: readonly number[]): number {
  const sorted = [...pauses].sort((one, other) => one - other)
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0
  return Math.max(10 * usual, 1)
}
