import type { ReplyDelta } from '../codecs/shared/reply.ts'
import { childName } from './agents/child-name.ts'
import { handlesOf } from './call.ts'
import type { Entry, ErrorData, Outcome, TurnStatus } from './entry.ts'
import { callId, type ThreadState } from './fold.ts'
import { copyAsJson } from './render/copy-as-json.ts'

/** An event of a run, for a user interface. Every result is an event, also one from outside and a placeholder. */
export type RunEvent =
  | { readonly kind: 'turn-start'; readonly turn: number }
  | { readonly kind: 'turn-resume'; readonly turn: number }
  | { readonly kind: 'input'; readonly inputs: readonly number[] }
  | ({ readonly kind: 'delta' } & { readonly delta: ReplyDelta })
  /** Discard the text that streamed since the last response: the model failed, or is asked again. */
  | { readonly kind: 'response-retract' }
  | { readonly kind: 'response'; readonly turn: number; readonly calls: readonly string[]; readonly finish: string }
  | { readonly kind: 'call-start'; readonly call: string; readonly name: string }
  | {
      readonly kind: 'approval-request' | 'outside-request'
      readonly call: string
      readonly name: string
      /** The arguments, to show to the person who decides or gives the result. */
      readonly input: unknown
      readonly until?: number
    }
  /** The call was given to an agent, which works in a thread of its own. */
  | {
      readonly kind: 'agent-start'
      readonly call: string
      readonly name: string
      readonly thread: string
      readonly input: unknown
      readonly until?: number
    }
  /** An event of an agent that this run drives. */
  | { readonly kind: 'agent-event'; readonly call: string; readonly thread: string; readonly event: RunEvent }
  | {
      readonly kind: 'approval'
      readonly call: string
      readonly approved: boolean
      readonly reason?: string
      /** What a person changed the input to. */
      readonly input?: unknown
    }
  | {
      readonly kind: 'result'
      readonly call: string
      readonly name: string
      readonly outcome: Outcome
      readonly late: boolean
    }
  /** A model failed, and the next attempt follows. */
  | { readonly kind: 'model-failed'; readonly turn: number; readonly attempt: number; readonly error: ErrorData }
  /** Summarizing failed: the history stays as it is, and the turn continues. */
  | { readonly kind: 'compaction-failed'; readonly turn: number; readonly error: ErrorData }
  | { readonly kind: 'turn-interrupt'; readonly turn: number; readonly reason?: string }
  | { readonly kind: 'turn-park'; readonly turn: number }
  | { readonly kind: 'turn-end'; readonly turn: number; readonly status: TurnStatus; readonly error?: ErrorData }

/** The event for an entry; undefined for kinds that are not shown. */
export function runEventOf(entry: Entry, state: ThreadState, thread: string): RunEvent | undefined {
  const { uid } = state
  const id = 'call' in entry ? callId(uid, entry.call) : ''
  const call = state.calls.get(id)
  const name = call?.name ?? ''
  switch (entry.kind) {
    case 'turn-start':
    case 'turn-resume':
    case 'turn-park':
      return { kind: entry.kind, turn: entry.turn }
    case 'input-admit':
      return { kind: 'input', inputs: entry.inputs }
    case 'response-record': {
      const { seq, turn, finish } = entry
      const ids = entry.calls.map((_, index) => callId(uid, { step: seq, index }))
      return { kind: 'response', turn, calls: ids, finish }
    }
    case 'call-start':
      return { kind: 'call-start', call: id, name }
    case 'call-park': {
      const [handle] = handlesOf(state, call ? [call] : [])
      const until = entry.until === undefined ? {} : { until: entry.until }
      const request = { call: id, name, input: handle?.input, ...until }
      if (entry.why === 'agent') return { kind: 'agent-start', thread: childName(thread, id), ...request }
      return { kind: entry.why === 'approval' ? 'approval-request' : 'outside-request', ...request }
    }
    case 'call-decide':
      return {
        kind: 'approval',
        call: id,
        approved: entry.approved,
        ...(entry.reason === undefined ? {} : { reason: entry.reason }),
        ...(call?.edited && { input: copyAsJson(call.edited.input) }),
      }
    case 'call-settle':
    case 'call-late':
      return { kind: 'result', call: id, name, outcome: copyAsJson(entry.outcome), late: entry.kind === 'call-late' }
    case 'turn-interrupt':
      return {
        kind: 'turn-interrupt',
        turn: entry.turn,
        ...(entry.reason === undefined ? {} : { reason: entry.reason }),
      }
    case 'turn-end':
      return { kind: 'turn-end', turn: entry.turn, status: entry.status, ...(entry.error && { error: entry.error }) }
    case 'input-submit':
    case 'note-tell':
    case 'rejection-learn':
    case 'branch-fork':
    case 'branch-switch':
    case 'history-compact':
    case 'history-expand':
    case 'call-edit':
      return undefined
  }
}
