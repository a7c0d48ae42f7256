import { isObject, type JsonObject, jsonText, objectOf, objects, stringOf } from '../../json.ts'
import type { Call, Entry } from '../../judge/entry.ts'
import { readContent, readResult } from '../../judge/readers/content.ts'

/** An element is an entry, but each result in it is an entry of its own. Neither calls nor results have ids. */
export function readCohereV1(history: unknown[]): Entry[] {
  return history.flatMap((element, index) => (isObject(element) ? readElement(element, index) : []))
}

function readElement(wire: JsonObject, index: number): Entry[] {
  const at = `chat_history[${index}]`
  const role = roleOf(wire)
  const calls = role === 'assistant' ? objects(wire.tool_calls).map((call, k) => readCall(call, at, k)) : []
  const entry: Entry = { role, ...readContent(wire.message), calls, wire, index, at }
  const results = role === 'tool' ? objects(wire.tool_results) : []
  if (results.length === 0) return [entry]
  return results.map(({ outputs }, k) => ({
    ...{ ...entry, texts: readResult(outputs), media: false },
    at: `${at}.tool_results[${k}]`,
  }))
}

/** In capitals or not, as the API takes them. */
function roleOf({ role }: JsonObject): string {
  const name = (stringOf(role) ?? '').toLowerCase()
  return name === 'chatbot' ? 'assistant' : name
}

const readCall = (call: JsonObject, at: string, k: number): Call => ({
  id: undefined,
  name: stringOf(call.name) ?? '',
  args: jsonText(objectOf(call.parameters)),
  at: `${at}.tool_calls[${k}]`,
})
