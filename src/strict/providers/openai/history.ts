import { isObject, type JsonObject, jsonText, objects, stringOf } from '../../json.ts'
import type { Call, Entry } from '../../judge/entry.ts'
import { readContent } from '../../judge/readers/content.ts'

/** One entry a message. */
export function readOpenaiChat(history: unknown[]): Entry[] {
  return history.flatMap((message, index) => (isObject(message) ? [readMessage(message, index)] : []))
}

function readMessage(wire: JsonObject, index: number): Entry {
  const at = `messages[${index}]`
  const { texts, media } = readContent(wire.content)
  const refusal = stringOf(wire.refusal)
  const entry: Entry = {
    role: stringOf(wire.role) ?? '',
    texts: refusal === undefined ? texts : [...texts, refusal],
    media: media || isObject(wire.audio) || isObject(wire.function_call),
    calls: wire.role === 'assistant' ? objects(wire.tool_calls).map((call, k) => readCall(call, at, k)) : [],
    wire,
    index,
    at,
  }
  const answers = wire.role === 'tool' ? stringOf(wire.tool_call_id) : undefined
  return answers === undefined ? entry : { ...entry, answers }
}

function readCall(call: JsonObject, at: string, k: number): Call {
  const isCustom = isObject(call.custom)
  const target = isObject(call.custom) ? call.custom : isObject(call.function) ? call.function : {}
  return {
    id: stringOf(call.id),
    name: stringOf(target.name),
    args: isCustom ? undefined : jsonText(target.arguments),
    at: `${at}.tool_calls[${k}]`,
  }
}
