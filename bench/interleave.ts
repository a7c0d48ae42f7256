/** Something to be timed, lap by lap: a lap is a part of the run that is as noisy as the disk. */
export interface Racer {
  /** Runs before each round, outside the timed section. */
  prepare?(round: number): unknown
  /** The times of its laps in milliseconds, always as many. */
  run(round: number): Promise<number[]> | number[]
}

export interface Pace {
  /** The sum of the best time of each lap, in milliseconds. */
  best: number
  /** The median of a whole run. How far it is from the best says how noisy the machine was. */
  median: number
}

export interface Course {
  rounds: number
  /** No round begins after this long, but three are always run. */
  budgetMs: number
}

/**
 * The pace of each racer. They take turns after every single run, in alternating order, so that whatever the machine does
 * meanwhile happens to all of them. For work that waits for a disk; what only computes has `compete`.
 */
export async function interleave<Name extends string>(
  racers: Record<Name, Racer>,
  { rounds, budgetMs }: Course,
): Promise<Record<Name, Pace>> {
  const tracks = Object.entries<Racer>(racers).map(([name, racer]) => ({ name, racer, laps: [] as number[][] }))
  const end = performance.now() + budgetMs
  for (let round = 0; round < rounds && (round < roundsMin || performance.now() < end); round++) {
    for (const { racer, laps } of round % 2 === 0 ? tracks : tracks.toReversed()) {
      await racer.prepare?.(round)
      laps.push(await racer.run(round))
    }
  }
  return Object.fromEntries(tracks.map(({ name, laps }) => [name, paceOf(laps)])) as Record<Name, Pace>
}

/** Times what lies between its calls. */
export class LapTimer {
  readonly laps: number[] = []
  #since = performance.now()

  lap(): void {
    const now = performance.now()
    this.laps.push(now - this.#since)
    this.#since = performance.now()
  }
}

/** One lap. */
export async function timed(work: () => unknown): Promise<number[]> {
  const timer = new LapTimer()
  await work()
  timer.lap()
  return timer.laps
}

const roundsMin = 3

function paceOf(runs: number[][]): Pace {
  const best = runs[0].map((_, lap) => Math.min(...runs.map(laps => laps[lap])))
  const totals = runs.map(sum).sort((one, other) => one - other)
  return { best: sum(best), median: totals[totals.length >> 1] }
}

const sum = (times: number[]): number => times.reduce((total, time) => total + time, 0)
