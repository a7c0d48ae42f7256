import { type Event, EventType, type Interrupt, type RunAgentInput, type RunFinishedOutcome } from '@ag-ui/core'
import { AntiphonError } from '../../core/errors.ts'
import { handlesOf } from '../../journal/call.ts'
import { isRunnable } from '../../journal/recover.ts'
import type { Announcer } from './announcer.ts'
import { answerSchema } from './read-answers.ts'
import type { ThreadView, TurnEnding } from './thread-view.ts'

/** What is known of a run at its end. */
export interface Ended {
  readonly input: RunAgentInput
  readonly view: ThreadView
  readonly announcer: Announcer
  /** How its turn ended, if it has. */
  readonly ended: TurnEnding | undefined
  /** The turn that is there now is its own. */
  readonly isCurrent: boolean
}

/** The last event of a run. If somebody else ran its turn and failed, `text` says what is told of that. */
export function ending(run: Ended, text: (error: unknown) => string): Event {
  const { ended, announcer, isCurrent } = run
  const { threadId, runId } = run.input
  const { usage } = announcer
  if (ended?.status === 'failed' && !isCurrent) return failure(ended.error, text)
  return {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    outcome: outcomeOf(run),
    ...(usage.length > 0 ? { usage } : {}),
    ...(ended && { metadata: { antiphon: { turn: ended.turn, status: ended.status } } }),
  }
}

/** What its turn waits for decides; else how it ended. */
function outcomeOf({ view, announcer: { pending }, ended, isCurrent }: Ended): RunFinishedOutcome {
  const interrupts = isCurrent ? interruptsOf(view) : []
  if (interrupts.length > 0) return { type: 'interrupt', interrupts }
  const isStopped = ended?.status === 'interrupted' || ended?.status === 'limit'
  if (isStopped && !isCurrent) return { type: 'cancelled' }
  return { type: 'success', ...(pending.length > 0 ? { pendingToolCallIds: pending } : {}) }
}

/** The calls of a thread that wait for a decision. Their ids are those of the journal, as `thread.approve` takes them. */
export function interruptsOf(view: ThreadView): Interrupt[] {
  const waiting = [...view.state.open.values()].filter(call => call.parked?.why === 'approval' && !isRunnable(call))
  return handlesOf(view.state, waiting).map(({ id, name, input }, index) => {
    const until = waiting[index].parked?.until
    return {
      id,
      reason: 'tool_call',
      message: `May ${name} run?`,
      toolCallId: view.nameOf(waiting[index]),
      responseSchema: answerSchema,
      ...(until === undefined ? {} : { expiresAt: new Date(until).toISOString() }),
      metadata: { toolName: name, input },
    }
  })
}

/** The last event of a run that failed. A client is told what it did wrong; what it is told of anything else is the caller's choice. */
export function failure(error: unknown, text: (error: unknown) => string): Event {
  if (!AntiphonError.is(error)) return { type: EventType.RUN_ERROR, message: text(error), code: 'failed' }
  const { code, hint } = error
  if (!isClientsMistake(error)) return { type: EventType.RUN_ERROR, message: text(error), code }
  const message = hint === undefined ? error.message : `${error.message}. ${hint}`
  return { type: EventType.RUN_ERROR, message, code }
}

export const isClientsMistake = (error: unknown): boolean => AntiphonError.is(error) && mistakes.has(error.code)

const mistakes = new Set([
  ...['unknown-interrupt', 'unclear-answer', 'edited-arguments'],
  ...['thread-busy', 'key-taken', 'invalid-input', 'invalid-name'],
])
