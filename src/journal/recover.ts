import type { Outcome } from './entry.ts'
import type { JournalCall, ThreadItem, ThreadState } from './fold.ts'
import { placeholderOutcome } from './outcome.ts'

/** What an owner knows when it takes a turn. */
export interface Recovery {
  /** A call that was never started is not run if it is older than this. */
  readonly staleMs: number
  /** Whether a call of the tool that was started can go on: it may run again with the same idempotency key, or is looked up first. */
  isSafe(tool: string): boolean
  /** Late results are sent to the model. */
  readonly tellsNotes: boolean
}

/**
 * Decides the open calls of a turn that gets a new owner:
 * - A call that waits for a decision, a result or its agent expires after its time, and otherwise keeps waiting.
 * - A started call goes on only if that is safe; otherwise its result is unknown.
 * - A call that was never started runs, unless it is stale or user input arrived since.
 * Returns the calls to settle; all others stay open. Returns undefined if all of them wait, so that there is nothing to do.
 */
export function recover(
  state: ThreadState,
  now: number,
  { staleMs, isSafe }: Recovery,
): { call: JournalCall; outcome: Outcome }[] | undefined {
  const settled: { call: JournalCall; outcome: Outcome }[] = []
  let isWaiting = state.open.size > 0
  for (const call of state.open.values()) {
    const { parked, startedAt } = call
    const isParked = !isRunnable(call)
    if (isParked && (parked?.until === undefined || parked.until > now)) continue
    isWaiting = false
    if (isParked) settled.push({ call, outcome: expired(call) })
    else if (startedAt !== undefined && !isSafe(call.name))
      settled.push({ call, outcome: placeholderOutcome('unknown') })
    else if (startedAt === undefined && !isFresh(state, call, now - staleMs))
      settled.push({ call, outcome: placeholderOutcome('not-started') })
  }
  return isWaiting && state.turn?.parked ? undefined : settled
}

/** The agent of an expired call may have had effects. */
const expired = ({ parked }: JournalCall): Outcome =>
  parked?.why === 'agent'
    ? placeholderOutcome('interrupted', 'its agent took longer than allowed')
    : placeholderOutcome('expired')

/** Whether the call can run now, without a decision or a result from outside. */
export const isRunnable = ({ parked, decision }: JournalCall): boolean =>
  parked === undefined || (parked.why === 'approval' && decision?.approved === true)

/** Whether one of the open calls can run now. It is asked after every entry, so the call that was found is looked at first. */
export function hasRunnable({ open }: ThreadState): boolean {
  const known = open.get(lastRunnable.get(open) ?? '')
  if (known && isRunnable(known)) return true
  let found: JournalCall | undefined
  // The last one: calls are usually settled and parked in their order.
  for (const call of open.values()) if (isRunnable(call)) found = call
  if (found) lastRunnable.set(open, found.id)
  return found !== undefined
}

const lastRunnable = new WeakMap<ThreadState['open'], string>()

/** Whether a call that was never started is still wanted. */
function isFresh(
  { turn, waiting }: ThreadState,
  { decision, recordedAt, place }: JournalCall,
  oldest: number,
): boolean {
  if ((decision?.at ?? recordedAt) < oldest) return false
  // The turn was parked for this decision, so input that came meanwhile follows the result.
  if (turn?.parked) return true
  return !waiting.some(({ seq }) => seq > (decision?.seq ?? place.step))
}

/** The number of responses that have broken off since the last whole one, or since the user spoke. */
export function countCuts(items: readonly ThreadItem[]): number {
  const last = items.findLastIndex(item => item.kind === 'input' || isWhole(item))
  return items.slice(last + 1).filter(({ kind }) => kind === 'step').length
}

const isWhole = (item: ThreadItem): boolean => item.kind === 'step' && item.step.response.finish !== 'cut'
