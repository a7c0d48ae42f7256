import { isObject, type JsonObject, objectOf, objects, stringOf, textOrJson } from '../../json.ts'
import type { EntryCall, HistoryEntry } from '../../judge/entry.ts'
import { contentTexts, resultTexts } from '../../judge/readers/content.ts'

/** An element is an entry, but each result in it is a separate entry. Neither calls nor results have ids. */
export function readCohereV1History(history: unknown[]): HistoryEntry[] {
  return history.flatMap((element, index) => (isObject(element) ? readElement(element, index) : []))
}

function readElement(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `chat_history[${index}]`
  const role = roleOf(raw)
  const calls = role === 'assistant' ? objects(raw.tool_calls).map((call, k) => readCall(call, at, k)) : []
  const entry: HistoryEntry = { role, ...contentTexts(raw.message), calls, raw, index, at }
  const results = role === 'tool' ? objects(raw.tool_results) : []
  if (results.length === 0) return [entry]
  return results.map(({ outputs }, k) => ({
    ...{ ...entry, texts: resultTexts(outputs), media: false },
    at: `${at}.tool_results[${k}]`,
  }))
}

/** In upper or lower case, as the API accepts both. */
function roleOf({ role }: JsonObject): string {
  const name = (stringOf(role) ?? '').toLowerCase()
  return name === 'chatbot' ? 'assistant' : name
}

const readCall = (call: JsonObject, at: string, k: number): EntryCall => ({
  id: undefined,
  name: stringOf(call.name) ?? '',
  args: textOrJson(objectOf(call.parameters)),
  at: `${at}.tool_calls[${k}]`,
})
