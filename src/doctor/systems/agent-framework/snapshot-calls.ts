import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { RecordFields } from '../../record-format.ts'

/** A call of a snapshot, and the other calls of its message. */
export interface SnapshotCall {
  readonly id: string
  readonly name: unknown
  readonly input: unknown
  readonly siblings: readonly SnapshotCall[]
}

/** The calls in the messages of a snapshot by id; the last one for a repeated id. */
export function callsIn(messages: readonly unknown[]): ReadonlyMap<string, SnapshotCall> {
  const found = new Map<string, SnapshotCall>()
  for (const message of messages) {
    const siblings: SnapshotCall[] = []
    for (const call of callList(message)) {
      const called = isRecord(call.function) ? call.function : {}
      if (typeof call.id !== 'string') continue
      siblings.push({ id: call.id, name: called.name, input: parsed(called.arguments), siblings })
    }
    for (const call of siblings) found.set(call.id, call)
  }
  return found
}

function callList(message: unknown): readonly RecordFields[] {
  const calls =
    isRecord(message) && message.role === 'assistant' ? (message.tool_calls ?? message.toolCalls) : undefined
  return Array.isArray(calls) ? calls.filter(isRecord) : []
}

/** The id of the call that a message answers, if it is a result. */
export function answeredBy(message: unknown): string | undefined {
  if (!isRecord(message) || message.role !== 'tool') return undefined
  const id = message.tool_call_id ?? message.toolCallId
  return typeof id === 'string' ? id : undefined
}

/** A value, or the parsed value of a JSON text. */
export function parsed(value: unknown): unknown {
  return typeof value === 'string' ? tryParseJson(value) : value
}
