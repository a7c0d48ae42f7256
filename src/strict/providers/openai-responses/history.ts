import { isObject, type JsonObject, stringOf, textOrJson } from '../../json.ts'
import type { EntryCall, HistoryEntry } from '../../judge/entry.ts'
import { contentTexts, resultTexts } from '../../judge/readers/content.ts'
import { pairOf } from './pair.ts'

/**
 * A message item is an entry. Calls join the assistant entry directly before them, as gateways do; reasoning and provider-run
 * tools produce no entry and do not separate their neighbours.
 */
export function readOpenaiResponsesHistory(history: unknown[]): HistoryEntry[] {
  const entries: HistoryEntry[] = []
  let assistant: HistoryEntry | undefined
  for (const [index, raw] of history.entries()) {
    if (!isObject(raw)) continue
    const blank: HistoryEntry = { role: '', texts: [], media: false, calls: [], raw, index, at: `input[${index}]` }
    if (isCall(raw)) {
      if (!assistant) {
        assistant = { ...blank, role: 'assistant' }
        entries.push(assistant)
      }
      assistant.calls.push(readCall(raw, blank.at))
    } else if (pairOf(raw)) {
      assistant = undefined
      entries.push(readOutput(raw, blank))
    } else if (typeof raw.role === 'string') {
      const message: HistoryEntry = { ...blank, role: raw.role, ...contentTexts(raw.content) }
      assistant = raw.role === 'assistant' ? message : undefined
      entries.push(message)
    }
  }
  return entries
}

const isCall = (item: JsonObject): boolean => item.type !== undefined && pairOf(item)?.call === item.type

function readCall(item: JsonObject, at: string): EntryCall {
  const isFunction = item.type === 'function_call'
  const name = stringOf(item.name) ?? (isFunction ? '' : String(item.type).replace(/_call$/, ''))
  return { id: stringOf(item.call_id), name, args: isFunction ? textOrJson(item.arguments) : undefined, at }
}

function readOutput(item: JsonObject, blank: HistoryEntry): HistoryEntry {
  const result: HistoryEntry = {
    ...blank,
    role: 'tool',
    texts: resultTexts(item.output),
    media: typeof item.output !== 'string',
  }
  const answers = stringOf(item.call_id)
  return answers === undefined ? result : { ...result, answers }
}
