/** What came of the accidents of one class. */
export interface Tally {
  tried: number
  healed: number
  /** Who refused the histories as they were. */
  refusedBy: string[]
  /** Of those that no reader refuses, how many there were and how many stayed whole. */
  harmless: number
  kept: number
  /** What became of the others, and the first of each. */
  failures: Partial<Record<Failure, { count: number; first: string }>>
}

export type Failure = 'refused' | 'lost' | 'throws'

export type Outcome = { failure: Failure; why: string } | undefined

export const emptyTally = (): Tally => ({ tried: 0, healed: 0, refusedBy: [], harmless: 0, kept: 0, failures: {} })

/** Counts what came of one history that `reader` refused as it was, or nobody. */
export function count(tally: Tally, reader: { dialect: string } | undefined, outcome: Outcome, what: string): void {
  if (reader) tally.tried++
  else tally.harmless++
  if (reader && !tally.refusedBy.includes(reader.dialect)) tally.refusedBy.push(reader.dialect)
  if (outcome === undefined) {
    if (reader) tally.healed++
    else tally.kept++
    return
  }
  const known = tally.failures[outcome.failure]
  if (known) known.count++
  else tally.failures[outcome.failure] = { count: 1, first: `${what}: ${outcome.why}` }
}

export function sum(tallies: readonly Tally[]): Tally {
  const total = emptyTally()
  for (const { tried, healed, refusedBy, harmless, kept, failures } of tallies) {
    total.refusedBy = [...new Set([...total.refusedBy, ...refusedBy])]
    total.tried += tried
    total.healed += healed
    total.harmless += harmless
    total.kept += kept
    for (const [failure, { count, first }] of Object.entries(failures)) {
      const known = total.failures[failure as Failure]
      if (known) known.count += count
      else total.failures[failure as Failure] = { count, first }
    }
  }
  return total
}
