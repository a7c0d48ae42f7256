import type { Entry } from '../../../src/journal/entry.ts'

/** Entries of an owner that another process wrote: the lease belongs to the process that began or resumed the turn last. */
export function foreignWriters(entries: readonly Entry[], writers: readonly string[]): string[] {
  const problems: string[] = []
  let owner: string | undefined
  for (const [index, { seq, kind }] of entries.entries()) {
    const writer = writers[index]
    if (kind === 'turn-start' || kind === 'turn-resume') owner = writer
    if (owned.has(kind) && writer !== owner)
      problems.push(`${kind} at ${seq} is by ${writer}, and ${owner} owns the turn`)
  }
  return problems
}

const owned = new Set<Entry['kind']>(['rejection-learn', 'response-record', 'call-start', 'call-park', 'turn-park'])
