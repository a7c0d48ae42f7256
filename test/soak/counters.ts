/** How often what happened. */
export class Counters {
  readonly #counts = new Map<string, number>()

  count(what: string, times = 1): void {
    this.#counts.set(what, this.of(what) + times)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  /** All that begins like this, by what stands after it. */
  under(beginning: string): [string, number][] {
    return [...this.#counts]
      .filter(([what]) => what.startsWith(beginning))
      .map(([what, times]): [string, number] => [what.slice(beginning.length).trim(), times])
      .sort(([one], [other]) => (one < other ? -1 : 1))
  }

  sum(beginning: string): number {
    return this.under(beginning).reduce((sum, [, times]) => sum + times, 0)
  }

  add(counts: Readonly<Record<string, number>>, beginning: string): void {
    for (const [what, times] of Object.entries(counts)) this.count(`${beginning} ${what}`, times)
  }
}
