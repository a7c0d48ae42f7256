import type { ResumeEntry } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { ThreadView } from './thread-view.ts'

/** What a person decided about a call. */
export interface Answer {
  readonly call: string
  readonly isApproved: boolean
  readonly reason?: string
}

/**
 * The decisions in a `resume`. Nothing is guessed where somebody is asked for leave: an interrupt that was never raised, an
 * answer that is neither yes nor no, or one with changed arguments, is an error, and then none of them counts.
 */
export function readAnswers(view: ThreadView, resume: readonly ResumeEntry[]): Answer[] {
  return resume.map((entry, index) => {
    const call = view.state.calls.get(entry.interruptId)
    if (call?.parked?.why !== 'approval' && !call?.decision) throw unknown(entry, index)
    if (entry.status === 'cancelled') return { call: call.id, isApproved: false, reason: 'nobody answered' }
    return { call: call.id, ...decisionOf(entry.payload, index) }
  })
}

function decisionOf(payload: unknown, index: number): Omit<Answer, 'call'> {
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

/** What an answer looks like, for whoever makes a form of it. */
export const answerSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}
