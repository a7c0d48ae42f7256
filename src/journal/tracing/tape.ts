import type { Tape } from '../../observe/tape/create-tape.ts'
import type { Entry } from '../entry.ts'
import { callId, type ThreadState } from '../fold.ts'

/**
 * Puts what is written to a journal on a tape: input, interrupts, responses, and calls by the ids that the wire has for them.
 * Requests are for the seam that sends them. The state has the entry in it already.
 */
export function recordEntry(tape: Tape, entry: Entry, state: ThreadState, thread: string): void {
  const call = 'call' in entry ? state.calls.get(callId(state.uid, entry.call)) : undefined
  const named = { id: call?.providerId ?? '', name: call?.name ?? '', thread }
  switch (entry.kind) {
    case 'input-submit':
      tape.input({ content: entry.content, thread })
      break
    case 'turn-interrupt':
      tape.interrupt({ ...(entry.reason === undefined ? {} : { reason: entry.reason }), thread })
      break
    case 'response-record':
      tape.response(undefined, { reply: { messages: entry.messages, finish: entry.finish }, thread })
      break
    case 'call-start':
      tape.callStart(named)
      break
    case 'call-settle':
    case 'call-late':
      tape.callEnd({ ...named, status: entry.outcome.status })
      break
  }
}
