import { createHash } from 'node:crypto'
import type { Entry } from '../../src/journal/entry.ts'
import type { Reader } from '../strict/readers.ts'
import { type Acknowledged, lostAcknowledgements } from './invariants/acknowledged.ts'
import { type Effects, wrongEffects } from './invariants/effects.ts'
import { LogLaws } from './invariants/log-laws.ts'
import { foreignWriters } from './invariants/owners.ts'
import { refusedPrefixes } from './invariants/prefixes.ts'
import { lateOwners } from './invariants/promptness.ts'
import { misplacedWords } from './invariants/words.ts'

/** A thread as its store has it, and what is known of it from elsewhere. */
export interface Evidence {
  readonly name: string
  readonly uid: string
  readonly entries: readonly Entry[]
  /** Who wrote each of the entries. */
  readonly writers: readonly string[]
  readonly acknowledged: Acknowledged
  readonly effects: Effects
  /** Everything was decided, and nothing is at work any more. */
  readonly isOver: boolean
  /** Processes that nothing kept from their work. */
  readonly reliable: ReadonlySet<string>
  /** The thread was erased: what tools gave after that is lost. */
  readonly isErased?: boolean
  /** How far the clocks of the writers may differ. */
  readonly skewMs?: number
}

/**
 * What is wrong with a thread: nothing, if the journal keeps its promises. `accepted` is as for `refusedPrefixes`, and remembers
 * whole logs too: what is drawn of a log does not depend on when it was written.
 */
export function violations(evidence: Evidence, readers: readonly Reader[], accepted?: Set<string>): string[] {
  const { name, uid, entries, writers, acknowledged, effects, isOver, isErased, reliable, skewMs } = evidence
  const laws = new LogLaws(skewMs)
  for (const entry of entries) laws.take(entry)
  if (isOver) laws.end()
  const problems = [
    ...laws.problems,
    ...foreignWriters(entries, writers),
    ...lateOwners(entries, writers, reliable),
    ...lostAcknowledgements(name, uid, entries, acknowledged),
    ...wrongEffects(uid, entries, effects, isErased),
  ]
  // The reader of the log assumes its laws, and would throw on one that breaks them.
  const log = accepted && digestOfLog(uid, entries)
  if (laws.problems.length === 0 && !(log && accepted.has(log))) {
    const misdrawn = [
      ...refusedPrefixes(uid, entries, readers, accepted),
      ...misplacedWords(uid, entries, laws.said, readers),
    ]
    if (log && misdrawn.length === 0) accepted.add(log)
    problems.push(...misdrawn)
  }
  return problems.map(problem => `${name}: ${problem}`)
}

function digestOfLog(uid: string, entries: readonly Entry[]): string {
  const timeless = entries.map(({ at: _, epoch: __, ...entry }) => entry)
  return createHash('sha256')
    .update(JSON.stringify([uid, timeless]))
    .digest('base64url')
}
