import type { CallHandle } from './call.ts'
import { settleCall } from './calls/settle-call.ts'
import { aborted, type Clock, untilAborted, withTimeout } from './clock.ts'
import type { Outcome } from './entry.ts'
import type { Log } from './log.ts'
import { outcomeOfError, outcomeOfOutput, placeholderOutcome } from './outcome.ts'
import { isTurnOver, toolTimeoutError } from './turn-errors.ts'

export interface PerformOptions {
  /** After this time the call is settled without its result. */
  readonly timeoutMs?: number
}

/** Passed to a tool after its arguments. */
export interface ToolContext {
  /** Aborted when the turn is interrupted, or after `timeoutMs`. */
  readonly signal: AbortSignal
  /** An idempotency key: the same for every run of this call, and different for every other call. */
  readonly key: string
  readonly callId: string
}

export interface ToolRunOptions {
  readonly log: Log
  readonly clock: Clock
  /** Aborted when the turn must stop. */
  readonly signal: AbortSignal
  readonly outputBytesMax: number
  /** How long the tool may go on after `signal` was aborted. */
  readonly graceMs: number
  readonly timeoutMs: number
}

/**
 * Runs a tool once. There is always an outcome: of its output, of its error, or of a result that another process stored in the
 * meantime. If the tool does not end in time, the outcome is a placeholder, and its result is stored as a late one.
 */
export async function runTool(
  call: CallHandle,
  execute: (context: ToolContext) => unknown,
  { log, clock, signal: turnSignal, outputBytesMax, graceMs, timeoutMs }: ToolRunOptions,
): Promise<Outcome> {
  const timer = new AbortController()
  const cancelTimer =
    timeoutMs === Infinity ? () => {} : clock.after(timeoutMs, () => timer.abort(toolTimeoutError(timeoutMs)))
  const signal = AbortSignal.any([turnSignal, timer.signal])
  const interrupted = (): Outcome =>
    timer.signal.aborted
      ? placeholderOutcome('interrupted', toolTimeoutError(timeoutMs).message)
      : placeholderOutcome('interrupted')
  const work = (async () => execute({ signal, key: call.id, callId: call.id }))()
  const settled = work.then(
    output => outcomeOfOutput(output, outputBytesMax),
    error => {
      if (error instanceof UnknownOutcomeError) return placeholderOutcome('unknown', error.message)
      return signal.aborted ? interrupted() : outcomeOfError(error, outputBytesMax)
    },
  )
  const elsewhere = outcomeFromElsewhere(log, call.id)
  const result = Promise.race([settled, elsewhere.outcome])
  try {
    const first = await untilAborted(signal, result)
    // A timeout ends the wait at once; an interruption ends it after the grace period.
    const hasGrace = first === aborted && !timer.signal.aborted
    const last = hasGrace ? await withTimeout(clock, graceMs, result, timer.signal) : first
    const outcome = last === undefined || last === aborted ? interrupted() : last
    if (outcome.status === 'made-up') keepLateResult(log, call.id, work, outputBytesMax)
    return outcome
  } finally {
    cancelTimer()
    elsewhere.unsubscribe()
  }
}

/** Thrown by a tool run that cannot say whether the call was done. */
export class UnknownOutcomeError extends Error {}

/** Writes a result, and once more if the store fails. A call takes only one result, so that the second try is safe. */
export async function settleWithRetry<T>(settle: () => Promise<T>): Promise<T> {
  try {
    return await settle()
  } catch (error) {
    if (isTurnOver(error)) throw error
    return settle()
  }
}

/** Another process may store a result while the tool runs. Then the tool is not waited for. */
function outcomeFromElsewhere(log: Log, callId: string): { outcome: Promise<Outcome>; unsubscribe(): void } {
  let unsubscribe = (): void => {}
  const outcome = new Promise<Outcome>(resolve => {
    unsubscribe = log.listen(() => {
      const stored = log.state.calls.get(callId)?.outcome
      if (stored) resolve(stored)
    })
  })
  return { outcome, unsubscribe }
}

/** The tool may still end. Its real result replaces the placeholder. */
function keepLateResult(log: Log, callId: string, work: Promise<unknown>, outputBytesMax: number): void {
  work
    .then(output => settleWithRetry(() => settleCall(log, callId, outcomeOfOutput(output, outputBytesMax))))
    .catch(() => {})
}
