import type { Tape } from '../../observe/tape/create-tape.ts'
import type { Entry } from '../entry.ts'
import { callId, type ThreadState } from '../fold.ts'

/**
 * Records an entry on a tape: input, interruptions, responses, and calls by their provider ids. Requests are recorded where
 * they are sent. The state already includes the entry.
 */
export function tapeEntry(tape: Tape, entry: Entry, state: ThreadState, thread: string): void {
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
