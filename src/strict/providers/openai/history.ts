import { isObject, type JsonObject, objects, stringOf, textOrJson } from '../../json.ts'
import type { EntryCall, HistoryEntry } from '../../judge/entry.ts'
import { contentTexts } from '../../judge/readers/content.ts'

/** One entry per message. */
export function readOpenaiChatHistory(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) => (isObject(message) ? [readMessage(message, index)] : []))
}

function readMessage(raw: JsonObject, index: number): HistoryEntry {
  const at = `messages[${index}]`
  const { texts, media } = contentTexts(raw.content)
  const refusal = stringOf(raw.refusal)
  const entry: HistoryEntry = {
    role: stringOf(raw.role) ?? '',
    texts: refusal === undefined ? texts : [...texts, refusal],
    media: media || isObject(raw.audio) || isObject(raw.function_call),
    calls: raw.role === 'assistant' ? objects(raw.tool_calls).map((call, k) => readCall(call, at, k)) : [],
    raw,
    index,
    at,
  }
  const answers = raw.role === 'tool' ? stringOf(raw.tool_call_id) : undefined
  return answers === undefined ? entry : { ...entry, answers }
}

function readCall(call: JsonObject, at: string, k: number): EntryCall {
  const isCustom = isObject(call.custom)
  const target = isObject(call.custom) ? call.custom : isObject(call.function) ? call.function : {}
  return {
    id: stringOf(call.id),
    name: stringOf(target.name),
    args: isCustom ? undefined : textOrJson(target.arguments),
    at: `${at}.tool_calls[${k}]`,
  }
}
