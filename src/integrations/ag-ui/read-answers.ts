import type { ResumeEntry } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { findCall } from '../../journal/agents/agent-questions.ts'
import { parentOf } from '../../journal/agents/child-name.ts'
import { editedInput } from '../../journal/calls/approval.ts'
import type { ThreadState } from '../../journal/fold.ts'
import type { Thread } from '../../journal/thread.ts'

/** The decision on a call of the thread, or of an agent below it. */
export interface ApprovalAnswer {
  readonly call: string
  /** For a call of an agent: the call of the thread that led to it. */
  readonly agentCall?: string
  readonly isApproved: boolean
  readonly reason?: string
  /** What the call runs with, if the client changed it. */
  readonly input?: unknown
}

/**
 * The decisions in a `resume`. Approvals are never guessed: an unknown interrupt, an answer that is neither an approval nor a denial, or
 * changed arguments with which the tool cannot run are an error, and then no decision is applied.
 */
export async function readAnswers(thread: Thread, resume: readonly ResumeEntry[]): Promise<ApprovalAnswer[]> {
  const answers: ApprovalAnswer[] = []
  for (const [index, entry] of resume.entries()) {
    const found = await findCall(thread, entry.interruptId)
    if (!found || (found.call.parked?.why !== 'approval' && !found.call.decision)) throw unknown(entry, index)
    const agentCall = agentCallAbove(thread.name, found.thread)
    const place = { call: found.call.id, ...(agentCall === undefined ? {} : { agentCall }) }
    const decision =
      entry.status === 'cancelled' ? { isApproved: false, reason: 'nobody answered' } : decisionOf(entry.payload, index)
    const answer: ApprovalAnswer = { ...place, ...decision }
    if (answer.input !== undefined) assertArguments(found.state, answer, index)
    answers.push(answer)
  }
  return answers
}

/** The call of a thread that led to the thread of an agent; undefined for the thread itself. */
function agentCallAbove(thread: string, below: string): string | undefined {
  const place = below === thread ? undefined : parentOf(below)
  return place && (place.parent === thread ? place.callId : agentCallAbove(thread, place.parent))
}

function decisionOf(payload: unknown, index: number): Omit<ApprovalAnswer, 'call'> {
  if (typeof payload === 'boolean') return { isApproved: payload }
  if (!isRecord(payload) || typeof payload.approved !== 'boolean') throw unclear(index)
  const { approved, reason, editedArgs } = payload
  return {
    isApproved: approved,
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    ...(approved && editedArgs !== undefined && editedArgs !== null ? { input: editedArgs } : {}),
  }
}

const unknown = ({ interruptId }: ResumeEntry, index: number): AntiphonError =>
  new AntiphonError('unknown-interrupt', `resume[${index}]: this thread has no interrupt ${interruptId}`, {
    hint: 'answer the interrupts of the last RUN_FINISHED of this thread, by their ids',
    interrupt: interruptId,
  })

const unclear = (index: number): AntiphonError =>
  new AntiphonError('unclear-answer', `resume[${index}]: the payload is neither an approval nor a denial`, {
    hint: 'send { approved: true } or { approved: false, reason }',
  })

function assertArguments(state: ThreadState, { call, input }: ApprovalAnswer, index: number): void {
  try {
    editedInput(state, call, input)
  } catch (error) {
    if (!AntiphonError.is(error)) throw error
    throw new AntiphonError('edited-arguments', `resume[${index}]: ${error.message}`, {
      hint: 'send all arguments of the call as editedArgs, or leave it out',
    })
  }
}

/** The JSON schema of an answer, for clients that show a form. */
export const approvalSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, editedArgs: { type: 'object' } },
  required: ['approved'],
}
