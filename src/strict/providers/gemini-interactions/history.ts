import { isObject, type JsonObject, stringOf, textOrJson } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { contentTexts, resultTexts } from '../../judge/readers/content.ts'
import { strings } from '../gemini/history.ts'

/** Adjacent steps of the model are one entry. */
export function readInteractionsHistory(history: unknown[]): HistoryEntry[] {
  const entries: HistoryEntry[] = []
  let model: HistoryEntry | undefined
  for (const [index, raw] of history.entries()) {
    if (!isObject(raw)) continue
    const blank: HistoryEntry = { role: '', texts: [], media: false, calls: [], raw, index, at: `input[${index}]` }
    if (raw.type === 'user_input' || raw.type === 'function_result') {
      model = undefined
      entries.push(raw.type === 'user_input' ? { ...blank, role: 'user', ...contentTexts(raw.content) } : result(blank))
    } else if (isOfModel(raw)) {
      if (!model) {
        model = { ...blank, role: 'assistant' }
        entries.push(model)
      }
      add(model, raw, blank.at)
    }
  }
  return entries
}

const isOfModel = ({ type }: JsonObject): boolean =>
  type === 'thought' || type === 'model_output' || /_(call|result)$/.test(stringOf(type) ?? '')

function add(model: HistoryEntry, raw: JsonObject, at: string): void {
  if (raw.type === 'function_call') {
    const { id, name, arguments: input = {} } = raw
    model.calls.push({ id: stringOf(id), name: stringOf(name) ?? '', args: textOrJson(input), at })
  } else if (raw.type === 'model_output') {
    const { texts, media } = contentTexts(raw.content)
    model.texts.push(...texts)
    model.media ||= media
  } else if (raw.type !== 'thought') model.media = true
}

function result(blank: HistoryEntry): HistoryEntry {
  const { call_id: id, result } = blank.raw
  const entry: HistoryEntry = {
    ...blank,
    role: 'tool',
    texts: isObject(result) ? strings(result) : resultTexts(result),
    media: typeof result !== 'string',
  }
  return typeof id === 'string' ? { ...entry, answers: id } : entry
}
