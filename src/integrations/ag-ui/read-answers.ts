import type { ResumeEntry } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { ThreadView } from './thread-view.ts'

/** The decision on a call. */
export interface ApprovalAnswer {
  readonly call: string
  readonly isApproved: boolean
  readonly reason?: string
}

/**
 * The decisions in a `resume`. Approvals are never guessed: an unknown interrupt, an answer that is neither an approval nor a denial, or
 * changed arguments are an error, and then no decision is applied.
 */
export function readAnswers(view: ThreadView, resume: readonly ResumeEntry[]): ApprovalAnswer[] {
  return resume.map((entry, index) => {
    const call = view.state.calls.get(entry.interruptId)
    if (call?.parked?.why !== 'approval' && !call?.decision) throw unknown(entry, index)
    if (entry.status === 'cancelled') return { call: call.id, isApproved: false, reason: 'nobody answered' }
    return { call: call.id, ...decisionOf(entry.payload, index) }
  })
}

function decisionOf(payload: unknown, index: number): Omit<ApprovalAnswer, 'call'> {
  if (typeof payload === 'boolean') return { isApproved: payload }
  if (!isRecord(payload) || typeof payload.approved !== 'boolean') throw unclear(index)
  const { approved, reason, editedArgs } = payload
  if (approved && editedArgs !== undefined && editedArgs !== null) throw edited(index)
  return { isApproved: approved, ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) }
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

const edited = (index: number): AntiphonError =>
  new AntiphonError('edited-arguments', `resume[${index}]: arguments cannot be changed in an approval`, {
    hint: 'deny the call, and say what to do instead',
  })

/** The JSON schema of an answer, for clients that show a form. */
export const approvalSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}
