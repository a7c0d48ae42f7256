import { createHash } from 'node:crypto'
import type { CallPart, Message, Part } from '../../../core/conversation.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import { type RecordContent, type RecordFormat, storeFormat } from '../../record-format.ts'
import { type StoredEvent, shortName } from './event.ts'

/**
 * How the events of a branch are read and written. `isWaiting`: the program has asked for a confirmation; an action
 * that is answered anyway is one that the user skipped.
 */
export function branchFormat(events: readonly StoredEvent[], isWaiting: boolean): RecordFormat<StoredEvent> {
  const heard = heardErrors(events)
  const lastResponse = events.findLast(({ call }) => call)?.call?.response
  const isPassed = ({ call }: StoredEvent): boolean =>
    isWaiting && call?.isRun === true && call.response === lastResponse
  const locate = ({ origin = 0 }: Message, part?: Part): string => shortName(events[part?.slot ?? origin])
  return {
    format: storeFormat({ root: 'events', locate }),
    dialect: 'openai',
    facts: { uniqueIds: 'history' },
    read: event => eventContents(event, heard, isPassed(event)),
    write: (event, parts) => withCallId(event, (parts[0] as CallPart).id),
    answer(call, event, { content }) {
      const isRejected = isPassed(event)
      const tool = { tool_name: event.call?.name, tool_call_id: call.id }
      const isTree = event.parent !== undefined
      return {
        id: madeId(event.id),
        kind: isRejected ? 'UserRejectObservation' : 'AgentErrorEvent',
        time: event.time,
        role: 'result',
        ...(isTree ? { parent: event.id } : {}),
        result: {
          id: call.id,
          text: isRejected ? '' : String(content),
          contentHash: '',
          isError: !isRejected,
          ...(isRejected ? { action: event.id } : {}),
        },
        made: isRejected
          ? { source: 'environment', ...tool, rejection_reason: superseded, action_id: event.id }
          : { source: 'agent', ...tool, error: content },
      }
    },
  }
}

/** OpenHands' own text for actions that waited when the user continued. */
const superseded = 'Superseded by a new user message'

/** A deterministic id for the answer to an action. */
function madeId(action: string): string {
  const hex = createHash('sha256').update(`answer to ${action}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function eventContents(
  { role, text = '', call, result }: StoredEvent,
  heard: ReadonlySet<StoredResultId>,
  isPassed: boolean,
): readonly RecordContent[] {
  if (role === 'aside') return []
  if (call) {
    const part = {
      kind: 'call' as const,
      id: call.id,
      name: call.name,
      input: call.input,
      callKind: 'function',
      by: 'client' as const,
    }
    return [
      {
        role: 'assistant',
        parts: [{ ...part, ...(call.isRun && !isPassed ? {} : { neverRan: true as const }) }],
        step: call.response,
      },
    ]
  }
  if (result) {
    const content = result.isError && !heard.has(result) ? result.text : result.contentHash
    const part = { kind: 'result' as const, id: result.id, content, callKind: 'function', by: 'client' as const }
    return [{ role: 'tool', parts: [{ ...part, ...(result.isError ? { error: true as const } : {}) }] }]
  }
  const speaker = role === 'agent' ? 'assistant' : role === 'user' ? 'user' : 'system'
  return [{ role: speaker, parts: [{ kind: 'text', text }] }]
}

type StoredResultId = NonNullable<StoredEvent['result']>

/**
 * Placeholders after which the agent continued before another result came: they count as errors that it knows of, as in
 * the program's own view, and not as missing results.
 */
function heardErrors(events: readonly StoredEvent[]): Set<StoredResultId> {
  const heard = new Set<StoredResultId>()
  const open = new Map<string, { readonly result: StoredResultId; readonly spoken: number }>()
  let spoken = 0
  for (const { role, result } of events) {
    if (role === 'agent' || role === 'action') spoken++
    if (!result) continue
    const before = open.get(result.id)
    if (before && before.spoken < spoken) heard.add(before.result)
    if (
      result.isError &&
      isPlaceholder({ kind: 'result', id: '', content: result.text, callKind: 'function', by: 'client' })
    )
      open.set(result.id, { result, spoken })
  }
  return heard
}

const withCallId = (event: StoredEvent, id: string): StoredEvent => ({
  ...event,
  ...(event.call ? { call: { ...event.call, id } } : {}),
  ...(event.result ? { result: { ...event.result, id } } : {}),
})
