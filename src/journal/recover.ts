import type { Outcome } from './entry.ts'
import type { Call, ThreadState } from './fold.ts'
import { madeUp } from './outcome.ts'

/** What is known to whoever takes up a turn. */
export interface Recovery {
  /** A call that was never started and is older is not run any more. */
  readonly staleMs: number
  /** Whether a tool may run a second time with the same key. */
  isSafe(tool: string): boolean
  /** Late results are told to the model. */
  readonly tellsNotes: boolean
}

/**
 * What becomes of the open calls of a turn that somebody takes up, in this order: whose time to be decided is over expires;
 * who waits for somebody outside goes on waiting; what was started runs again only if that is safe, else nobody knows what
 * came of it; what was never started runs, unless it is stale or the user has spoken since. Calls that are not in the answer
 * stay open. Nothing comes back if all of them wait: then there is nothing to take up.
 */
export function recover(
  state: ThreadState,
  now: number,
  { staleMs, isSafe }: Recovery,
): { call: Call; outcome: Outcome }[] | undefined {
  const settled: { call: Call; outcome: Outcome }[] = []
  let isWaiting = state.open.size > 0
  for (const call of state.open.values()) {
    const { parked, startedAt } = call
    const isParked = !isRunnable(call)
    if (isParked && (parked?.until === undefined || parked.until > now)) continue
    isWaiting = false
    if (isParked) settled.push({ call, outcome: madeUp('expired') })
    else if (startedAt !== undefined && !isSafe(call.name)) settled.push({ call, outcome: madeUp('unknown') })
    else if (startedAt === undefined && !isFresh(state, call, now - staleMs))
      settled.push({ call, outcome: madeUp('not-started') })
  }
  return isWaiting && state.turn?.parked ? undefined : settled
}

/** Whether the call can run now: nobody outside has to say something first. */
export const isRunnable = ({ parked, decision }: Call): boolean =>
  parked === undefined || (parked.why === 'approval' && decision?.approved === true)

/** Whether a call that was never started is still wanted. */
function isFresh({ turn, waiting }: ThreadState, { decision, recordedAt, place }: Call, oldest: number): boolean {
  if ((decision?.at ?? recordedAt) < oldest) return false
  // The turn waited in order for this decision: input that came meanwhile is said behind the result.
  if (turn?.parked) return true
  return !waiting.some(({ seq }) => seq > (decision?.seq ?? place.step))
}
