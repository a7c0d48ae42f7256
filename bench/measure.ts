/** Something to be timed. `vary` runs before each sample, outside the timed section. */
export interface Contestant {
  run(): unknown
  vary?(sample: number): void
}

export interface Effort {
  samples: number
  /** No contestant gets much more than this: a slow one gets fewer samples, at least one. */
  budgetMs: number
}

/** The best times in milliseconds, and how much a contestant differs from itself at most. */
export interface Competition<Name extends string> {
  times: Record<Name, number>
  noise: number
}

const turns = 5
const warmUpMs = 400

/**
 * The best time of each contestant. They take turns, so that a noisy moment of the machine hits all of them; each turn
 * is a block of samples in a row, so that each runs with its own data warm.
 */
export async function compete<Name extends string>(
  contestants: Record<Name, Contestant>,
  { samples, budgetMs }: Effort,
): Promise<Competition<Name>> {
  const states = Object.entries<Contestant>(contestants).map(([name, contestant]) => ({
    name,
    contestant,
    best: Number.POSITIVE_INFINITY,
    control: new NoiseControl(),
    spent: 0,
    taken: 0,
  }))
  const sampleOnce = async (state: (typeof states)[number]) => {
    state.contestant.vary?.(state.taken++)
    const time = await timeOf(state.contestant)
    state.spent += time
    return time
  }
  for (const state of states) {
    const first = await sampleOnce(state)
    if (first > budgetMs / 4) state.best = first
    else for (let runs = 1; state.spent < Math.min(warmUpMs, budgetMs / 4) || runs < 3; runs++) await sampleOnce(state)
    state.spent = state.best === first ? first : 0
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const state of states) {
      for (let sample = 0; sample < Math.ceil(samples / turns) && state.spent < budgetMs; sample++) {
        const time = await sampleOnce(state)
        state.best = Math.min(state.best, time)
        state.control.add(turn, time)
      }
    }
  }
  const times = Object.fromEntries(states.map(({ name, best }) => [name, best])) as Record<Name, number>
  return { times, noise: Math.max(0, ...states.map(({ control }) => control.noise)) }
}

/** Takes the times of the same work in turns: the best of the even turns and the best of the odd ones would be equal without noise. */
export class NoiseControl {
  readonly #best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]

  add(turn: number, time: number): void {
    this.#best[turn % 2] = Math.min(this.#best[turn % 2], time)
  }

  /** The difference as a part of the smaller one; 0 if one of them is missing. */
  get noise(): number {
    const [less, more] = this.#best.toSorted((one, other) => one - other)
    return more === Number.POSITIVE_INFINITY ? 0 : more / less - 1
  }
}

/** The last outcome, kept where the compiler cannot prove it unused. */
export let sink: unknown

async function timeOf(contestant: Contestant): Promise<number> {
  const start = performance.now()
  sink = contestant.run()
  if (sink instanceof Promise) sink = await sink
  return performance.now() - start
}
