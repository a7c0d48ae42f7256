import { isObject, type JsonObject, objectOf, objects, stringOf, textOrJson } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { contentTexts } from '../../judge/readers/content.ts'

/** One entry per message. */
export const readOllamaHistory = (history: unknown[]): HistoryEntry[] =>
  history.flatMap((message, index) => (isObject(message) ? [readMessage(message, index)] : []))

function readMessage(raw: JsonObject, index: number): HistoryEntry {
  const at = `messages[${index}]`
  const { texts, media } = contentTexts(raw.content)
  const entry: HistoryEntry = {
    role: stringOf(raw.role) ?? '',
    texts,
    media: media || (Array.isArray(raw.images) && raw.images.length > 0),
    calls: (raw.role === 'assistant' ? objects(raw.tool_calls) : []).map((call, k) => ({
      id: stringOf(call.id),
      name: stringOf(objectOf(call.function).name),
      args: textOrJson(objectOf(call.function).arguments ?? {}),
      at: `${at}.tool_calls[${k}]`,
    })),
    raw,
    index,
    at,
  }
  const answers = raw.role === 'tool' ? stringOf(raw.tool_call_id) : undefined
  return answers === undefined ? entry : { ...entry, answers }
}
