import type { Event, Interrupt, RunAgentInput, RunFinishedOutcome } from '@ag-ui/core'
import { AntiphonError } from '../../core/errors.ts'
import { agentQuestions } from '../../journal/agents/agent-questions.ts'
import { handleReader } from '../../journal/call.ts'
import { isRunnable } from '../../journal/recover.ts'
import type { Thread } from '../../journal/thread.ts'
import { EventType } from './event-type.ts'
import type { EventWriter } from './event-writer.ts'
import { approvalSchema } from './read-answers.ts'
import type { ThreadView, TurnEnding } from './thread-view.ts'

/** The state of a run at its end. */
export interface FinishedRun {
  readonly input: RunAgentInput
  readonly writer: EventWriter
  /** How its turn ended, if it has. */
  readonly ended: TurnEnding | undefined
  /** The current turn belongs to this run. */
  readonly isCurrent: boolean
  /** What the current turn of this run waits for. */
  readonly interrupts: readonly Interrupt[]
}

/** The last event of a run. `text` is the message for the client if its turn failed in another process. */
export function finalEvent(run: FinishedRun, text: (error: unknown) => string): Event {
  const { ended, writer, isCurrent } = run
  const { threadId, runId } = run.input
  const { usage } = writer
  if (ended?.status === 'failed' && !isCurrent) return errorEvent(ended.error, text)
  return {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    outcome: outcomeOf(run),
    ...(usage.length > 0 ? { usage } : {}),
    ...(ended && { metadata: { antiphon: { turn: ended.turn, status: ended.status } } }),
  }
}

/** Open approvals make it an interrupt; otherwise the end of its turn decides. */
function outcomeOf({ writer: { pending }, ended, isCurrent, interrupts }: FinishedRun): RunFinishedOutcome {
  if (interrupts.length > 0) return { type: 'interrupt', interrupts: [...interrupts] }
  const isStopped = ended?.status === 'interrupted' || ended?.status === 'limit'
  if (isStopped && !isCurrent) return { type: 'cancelled' }
  return { type: 'success', ...(pending.length > 0 ? { pendingToolCallIds: pending } : {}) }
}

/** The calls of a thread that wait for a decision, with the ids that `thread.approve` takes. */
export function interruptsOf(view: ThreadView): Interrupt[] {
  const waiting = [...view.state.open.values()].filter(call => call.parked?.why === 'approval' && !isRunnable(call))
  const handleOf = handleReader(view.state)
  return waiting.map(call => {
    const { id, name, input } = handleOf(call)
    const until = call.parked?.until
    return {
      id,
      reason: 'tool_call',
      message: `May ${name} run?`,
      toolCallId: view.nameOf(call),
      responseSchema: approvalSchema,
      ...(until === undefined ? {} : { expiresAt: new Date(until).toISOString() }),
      metadata: { toolName: name, input },
    }
  })
}

/** The questions of agents, with the calls that led to them. The client knows only the call of its own thread. */
export async function agentInterruptsOf(thread: Thread, view: ThreadView): Promise<Interrupt[]> {
  if (thread.agents.open.length === 0) return []
  return (await agentQuestions(thread)).map(({ id, name, input, path, agents, until }) => {
    const call = view.state.calls.get(path[0] ?? '')
    return {
      id,
      reason: 'tool_call',
      message: `May ${name} run, for ${agents.join(', ')}?`,
      ...(call && { toolCallId: view.nameOf(call) }),
      responseSchema: approvalSchema,
      ...(until === undefined ? {} : { expiresAt: new Date(until).toISOString() }),
      metadata: { toolName: name, input, path, agents },
    }
  })
}

/** The last event of a failed run. Errors of the client are sent in full; of all others the client gets `text`. */
export function errorEvent(error: unknown, text: (error: unknown) => string): Event {
  if (!AntiphonError.is(error)) return { type: EventType.RUN_ERROR, message: text(error), code: 'failed' }
  const { code, hint } = error
  if (!isClientError(error)) return { type: EventType.RUN_ERROR, message: text(error), code }
  const message = hint === undefined ? error.message : `${error.message}. ${hint}`
  return { type: EventType.RUN_ERROR, message, code }
}

export const isClientError = (error: unknown): boolean => AntiphonError.is(error) && clientErrors.has(error.code)

const clientErrors = new Set([
  ...['unknown-interrupt', 'unclear-answer', 'edited-arguments'],
  ...['thread-busy', 'thread-erased', 'key-taken', 'invalid-input', 'invalid-name'],
])
