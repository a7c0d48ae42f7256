import type { RefusalReason, ThreadRow } from '../store.ts'
import type { PostgresWrite } from './prepare-write.ts'

/** What is known of the thread after a write was refused. */
export interface RefusalFacts {
  readonly row: ThreadRow
  /** The clock of the server. */
  readonly now: number
  readonly known: boolean
  /** How many of the calls that the write names are open, and how many are started. */
  readonly callsOpen: number
  readonly callsStarted: number
}

/** The first reason that applies, in the order of `RefusalReason`; undefined if there is none any more. */
export function refusalReason(
  plan: PostgresWrite,
  head: number | undefined,
  facts: RefusalFacts,
): RefusalReason | undefined {
  const { epoch, lease, onlyIf, effects, calls } = plan
  const { row, now, known, callsOpen, callsStarted } = facts
  if (known) return 'known'
  if (epoch !== undefined && epoch !== row.epoch) return 'fenced'
  if (head !== undefined && head !== row.head) return 'moved'
  if (lease && row.leasedUntil > now) return 'leased'
  if (onlyIf && onlyIf !== row.state) return 'busy'
  if (effects.requiresAllSettled && row.openCalls > (effects.settles.length > 0 ? callsOpen : 0)) return 'open'
  const named = new Set(calls.map(({ step, index }) => `${step}.${index}`)).size
  if (callsOpen < named) return 'settled'
  if (named < effects.settles.length) return 'settled'
  if (callsStarted > 0 && effects.starts.length > 0) return 'started'
  return named < effects.starts.length ? 'started' : undefined
}
