import type { Outcome } from '../entry.ts'
import type { Log } from '../log.ts'
import { errorOutcome } from '../outcome.ts'
import { copyAsJson } from '../render/copy-as-json.ts'

/** The one result of a call. `isFirst` is true if this result was stored, and false if the call already had one. */
export interface Settlement {
  readonly isFirst: boolean
  /** The call had a placeholder, and this is the real result. */
  readonly isLate: boolean
  readonly outcome: Outcome
}

/** Gives a call its result: as the owner of its turn, or from outside. If it already has one, that one is returned. */
export async function settleCall(
  log: Log,
  callId: string,
  outcome: Outcome,
  owner?: { readonly turn: number; readonly epoch: number },
): Promise<Settlement> {
  const command = { do: 'settle', call: callId, outcome, ...(owner && { turn: owner.turn }) } as const
  const { entries } = await log.command(() => command, owner ? { epoch: owner.epoch } : {})
  const [entry] = entries
  if (entry) return { isFirst: true, isLate: entry.kind === 'call-late', outcome }
  const stored = log.state.calls.get(callId)?.outcome ?? errorOutcome('no result')
  return { isFirst: false, isLate: false, outcome: copyAsJson(stored) }
}
