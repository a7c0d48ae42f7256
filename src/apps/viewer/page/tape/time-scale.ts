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
  const pauses = sorted.slice(1).map((at, index) => at - sorted[index])
  const most = pauseMax(pauses)
  const spread = pauses.map(pause => Math.min(pause, most))
  const length = spread.reduce((sum, part) => sum + part, 0) || 1
  const places = new Map<number, number>([[sorted[0], 0]])
  const breaks: TimeBreak[] = []
  let sum = 0
  for (const [index, part] of spread.entries()) {
    if (pauses[index] > most) breaks.push({ place: (sum + part / 2) / length, ms: pauses[index] })
    sum += part
    places.set(sorted[index + 1], sum / length)
  }
  return { place: at => places.get(at) ?? 0, breaks }
}

/** Pauses are cut to ten times the median pause. */
function pauseMax(pauses: readonly number[]): number {
  const sorted = [...pauses].sort((one, other) => one - other)
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0
  return Math.max(10 * usual, 1)
}
