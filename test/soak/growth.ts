import type { Holdings } from './inside.ts'

/** What a process held early and late in the soak, after everything that can be collected was. */
export interface Growth {
  readonly part: string
  readonly figure: keyof Holdings
  /** The median of the second fifth of the time, that of the last one, and how much that may be. */
  readonly before: number
  readonly after: number
  readonly bound: number
}

const mib = 1024 * 1024

/** So many times what was there before, and so much on top: what a process needs depends on what is under way just then. */
const bounds: Record<keyof Holdings, { readonly times: number; readonly more: number }> = {
  rssBytes: { times: 1.2, more: 32 * mib },
  heapBytes: { times: 1.05, more: 4 * mib },
  bufferBytes: { times: 1.05, more: 4 * mib },
  sockets: { times: 1.5, more: 16 },
  timers: { times: 1.5, more: 16 },
  files: { times: 1.2, more: 16 },
}

export const figures = Object.keys(bounds) as (keyof Holdings)[]

/** How a bound is told. */
export const boundsTold = figures
  .map(figure => {
    const { times, more } = bounds[figure]
    return `${figure} × ${times} + ${figure.endsWith('Bytes') ? `${more / mib} MiB` : more}`
  })
  .join(', ')

export class Samples {
  readonly #samples = new Map<string, Holdings[]>()

  take(part: string, holdings: Holdings | undefined): void {
    // Of a process that never says what it holds there is an entry too: nothing is within no bound.
    this.#samples.set(part, [...(this.#samples.get(part) ?? []), ...(holdings ? [holdings] : [])])
  }

  get count(): number {
    return Math.min(...[...this.#samples.values()].map(({ length }) => length))
  }

  get growth(): Growth[] {
    return [...this.#samples].flatMap(([part, samples]) =>
      figures.map(figure => {
        const fifth = (which: number) =>
          median(
            samples.slice((samples.length * which) / 5, (samples.length * (which + 1)) / 5).map(held => held[figure]),
          )
        const [before, after] = [fifth(1), fifth(4)]
        return { part, figure, before, after, bound: before * bounds[figure].times + bounds[figure].more }
      }),
    )
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)]
}
