import type { Attributes } from '../../observe/telemetry/api.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { readUsage, usageAttributes } from '../../observe/telemetry/usage.ts'
import type { Entry } from '../entry.ts'
import { callId, type JournalCall, lastStep, type ThreadState } from '../fold.ts'

/** An event of a span. `content` is added only if content is captured. */
type SpanEvent = readonly [name: string, attributes: Attributes, content?: Attributes]

/** Adds an event for the entry to the span of its turn, for most kinds. The state already includes the entry. */
export function traceEntry(span: LiveSpan, entry: Entry, state: ThreadState): void {
  if (!span.isRecording) return
  const event = eventOf(entry, state)
  if (event) addEvent(span, event)
}

/** The turn was resumed: after it was parked, with the decisions made meanwhile, or after its owner crashed. */
export function traceResume(span: LiveSpan, entries: readonly Entry[], state: ThreadState, wasParked: boolean): void {
  if (!span.isRecording) return
  span.event(wasParked ? 'antiphon.resume' : 'antiphon.recovery', {
    'antiphon.calls.open': state.open.size,
    'antiphon.calls.settled': entries.filter(({ kind }) => kind === 'call-settle').length,
  })
  if (!wasParked) return
  for (const call of lastStep(state)?.calls ?? [])
    if (call.decision && call.startedAt === undefined) addEvent(span, decided(call))
}

export const traceInterrupt = (span: LiveSpan, reason: string | undefined): void =>
  addEvent(span, interrupted('request', reason))

export const callAttributes = (call: Pick<JournalCall, 'id' | 'providerId' | 'name'> | undefined): Attributes => ({
  'gen_ai.tool.name': call?.name,
  'gen_ai.tool.call.id': call?.providerId || call?.id,
  'antiphon.call.id': call?.id,
})

function addEvent(span: LiveSpan, [name, attributes, content]: SpanEvent): void {
  span.event(name, span.capturesContent ? { ...attributes, ...content } : attributes)
}

function eventOf(entry: Entry, state: ThreadState): SpanEvent | undefined {
  const call = 'call' in entry ? state.calls.get(callId(state.uid, entry.call)) : undefined
  switch (entry.kind) {
    case 'input-admit':
      return ['antiphon.input', { 'antiphon.input.count': entry.inputs.length }]
    case 'note-tell':
      return ['antiphon.note', { 'antiphon.note.count': entry.notes.length }]
    case 'input-submit':
      return entry.when === 'interrupt' ? interrupted('input', undefined) : undefined
    case 'turn-interrupt':
      return interrupted('request', entry.reason)
    case 'response-record': {
      const { model, finish, calls, usage } = entry
      const response = { 'antiphon.response.finish': finish, 'antiphon.response.calls': calls.length }
      return [
        'antiphon.response',
        { 'gen_ai.response.model': model, ...response, ...usageAttributes(readUsage(usage)) },
      ]
    }
    case 'call-park':
      return [`antiphon.${entry.why}.request`, callAttributes(call)]
    case 'call-decide':
      return call && decided(call)
    case 'call-late':
      return ['antiphon.result.late', { ...callAttributes(call), 'antiphon.result.status': entry.outcome.status }]
    case 'call-settle': {
      const { status, state } = entry.outcome
      // The result of a tool that ran is in the span of the tool.
      if (status !== 'made-up' && call?.startedAt !== undefined) return undefined
      const result = { 'antiphon.result.status': status, 'antiphon.result.state': state }
      return ['antiphon.result', { ...callAttributes(call), ...result }]
    }
    case 'rejection-learn':
      return ['antiphon.rejection', { 'antiphon.rejection.marks': entry.marks.length }]
    case 'turn-start':
    case 'turn-resume':
    case 'turn-park':
    case 'turn-end':
    case 'call-start':
    case 'branch-fork':
    case 'branch-switch':
    case 'history-compact':
    case 'history-expand':
    case 'call-edit':
      return undefined
  }
}

const interrupted = (by: 'request' | 'input', reason: string | undefined): SpanEvent => [
  'antiphon.interrupt',
  { 'antiphon.interrupt.by': by },
  { 'antiphon.interrupt.reason': reason },
]

const decided = (call: JournalCall): SpanEvent => [
  'antiphon.approval.decision',
  {
    ...callAttributes(call),
    'antiphon.approval.approved': call.decision?.approved,
    'antiphon.approval.edited': call.edited ? true : undefined,
  },
  { 'antiphon.approval.reason': call.decision?.reason },
]
