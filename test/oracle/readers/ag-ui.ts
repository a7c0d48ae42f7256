import { isObject, type JsonObject, jsonText, objects, stringOf } from '../../../src/strict/json.ts'
import type { Call, Entry } from '../../../src/strict/judge/entry.ts'
import { readContent } from '../../../src/strict/judge/readers/content.ts'

/** One entry a message, in either spelling. Reasoning and what an application shows leave none. */
export function readAgUi(history: unknown[]): Entry[] {
  return history.flatMap((message, index) =>
    isObject(message) && message.role !== 'activity' && message.role !== 'reasoning'
      ? [readMessage(message, index)]
      : [],
  )
}

function readMessage(wire: JsonObject, index: number): Entry {
  const at = `messages[${index}]`
  const list = isSet(wire.toolCalls) ? 'toolCalls' : 'tool_calls'
  const calls = wire.role === 'assistant' ? objects(wire[list]) : []
  const entry: Entry = {
    role: stringOf(wire.role) ?? '',
    ...readContent(wire.content),
    calls: calls.map((call, k) => readCall(call, `${at}.${list}[${k}]`)),
    wire,
    index,
    at,
  }
  const answers = stringOf(isSet(wire.toolCallId) ? wire.toolCallId : wire.tool_call_id)
  return wire.role === 'tool' && answers !== undefined ? { ...entry, answers } : entry
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function readCall(call: JsonObject, at: string): Call {
  const called = isObject(call.function) ? call.function : {}
  return { id: stringOf(call.id), name: stringOf(called.name) ?? '', args: jsonText(called.arguments), at }
}
