import type { ResumeEntry } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { editedInput } from '../../journal/calls/approval.ts'
import type { ThreadView } from './thread-view.ts'

/** The decision on a call. */
export interface ApprovalAnswer {
  readonly call: string
  readonly isApproved: boolean
  readonly reason?: string
  /** What the call runs with, if the client changed it. */
  readonly input?: unknown
}

/**
 * The decisions in a `resume`. Approvals are never guessed: an unknown interrupt, an answer that is neither an approval nor a denial, or
 * changed arguments with which the tool cannot run are an error, and then no decision is applied.
 */
export function readAnswers(view: ThreadView, resume: readonly ResumeEntry[]): ApprovalAnswer[] {
  return resume.map((entry, index) => {
    const call = view.state.calls.get(entry.interruptId)
    if (call?.parked?.why !== 'approval' && !call?.decision) throw unknown(entry, index)
    if (entry.status === 'cancelled') return { call: call.id, isApproved: false, reason: 'nobody answered' }
    const answer = { call: call.id, ...decisionOf(entry.payload, index) }
    if (answer.input !== undefined) assertArguments(view, answer, index)
    return answer
  })
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

function assertArguments({ state }: ThreadView, { call, input }: ApprovalAnswer, index: number): void {
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
