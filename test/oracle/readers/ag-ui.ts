import { isObject, type JsonObject, objects, stringOf, textOrJson } from '../../../src/strict/json.ts'
import type { EntryCall, HistoryEntry } from '../../../src/strict/judge/entry.ts'
import { contentTexts } from '../../../src/strict/judge/readers/content.ts'

/** One entry a message, in either spelling. Reasoning and what an application shows leave none. */
export function readAgUi(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) =>
    isObject(message) && message.role !== 'activity' && message.role !== 'reasoning'
      ? [readMessage(message, index)]
      : [],
  )
}

function readMessage(raw: JsonObject, index: number): HistoryEntry {
  const at = `messages[${index}]`
  const list = isSet(raw.toolCalls) ? 'toolCalls' : 'tool_calls'
  const calls = raw.role === 'assistant' ? objects(raw[list]) : []
  const entry: HistoryEntry = {
    role: stringOf(raw.role) ?? '',
    ...contentTexts(raw.content),
    calls: calls.map((call, k) => readCall(call, `${at}.${list}[${k}]`)),
    raw,
    index,
    at,
  }
  const answers = stringOf(isSet(raw.toolCallId) ? raw.toolCallId : raw.tool_call_id)
  return raw.role === 'tool' && answers !== undefined ? { ...entry, answers } : entry
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function readCall(call: JsonObject, at: string): EntryCall {
  const called = isObject(call.function) ? call.function : {}
  return { id: stringOf(call.id), name: stringOf(called.name) ?? '', args: textOrJson(called.arguments), at }
}
