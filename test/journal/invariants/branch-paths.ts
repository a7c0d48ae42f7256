/** What one branch has, each with the sequence number of the entry that says so. */
interface BranchPath {
  /** Inputs that were said. */
  readonly said: Map<number, number>
  /** Responses that the model sees. */
  readonly steps: Map<number, number>
  /** Calls that have a result. */
  readonly settled: Map<string, number>
  /** Late results that were told. */
  readonly told: Map<number, number>
}

/** The branches of a thread as whole copies, which is slow and hard to get wrong. */
export class BranchPaths {
  readonly #paths = new Map<number, BranchPath>([
    [1, { said: new Map(), steps: new Map(), settled: new Map(), told: new Map() }],
  ])
  #current = 1
  #next: number | undefined

  get numbers(): number[] {
    return [...this.#paths.keys()]
  }

  get current(): number {
    return this.#current
  }

  get here(): BranchPath {
    return this.of(this.#current)
  }

  of(branch: number): BranchPath {
    const path = this.#paths.get(branch)
    if (!path) throw new Error(`there is no branch ${branch}`)
    return path
  }

  has(branch: number): boolean {
    return this.#paths.has(branch)
  }

  fork(branch: number, from: number, after: number): void {
    const upTo = <Key>(known: Map<Key, number>): Map<Key, number> =>
      new Map([...known].filter(([, seq]) => seq <= after))
    const { said, steps, settled, told } = this.of(from)
    const path = { said: upTo(said), steps: upTo(steps), settled: upTo(settled), told: upTo(told) }
    this.#paths.set(branch, path)
  }

  switch(branch: number, isNow: boolean): void {
    this.#next = branch
    if (isNow) this.endTurn()
  }

  endTurn(): void {
    this.#current = this.#next ?? this.#current
    this.#next = undefined
  }

  /** Whether a model has gone on, on any branch that has the result of the call. */
  isFollowed(call: string, step: number): boolean {
    return [...this.#paths.values()].some(
      ({ settled, steps }) => settled.has(call) && [...steps.keys()].some(later => later > step),
    )
  }
}
