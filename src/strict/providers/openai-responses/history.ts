import { isObject, type JsonObject, jsonText, stringOf } from '../../json.ts'
import type { Call, Entry } from '../../judge/entry.ts'
import { readContent, readResult } from '../../judge/readers/content.ts'
import { pairOf } from './pair.ts'

/**
 * A message item is an entry. Calls join the assistant entry they directly follow, as gateways do; reasoning and tools
 * that the provider ran leave no entry and do not part what they stand between.
 */
export function readOpenaiResponses(history: unknown[]): Entry[] {
  const entries: Entry[] = []
  let assistant: Entry | undefined
  for (const [index, wire] of history.entries()) {
    if (!isObject(wire)) continue
    const blank: Entry = { role: '', texts: [], media: false, calls: [], wire, index, at: `input[${index}]` }
    if (isCall(wire)) {
      if (!assistant) {
        assistant = { ...blank, role: 'assistant' }
        entries.push(assistant)
      }
      assistant.calls.push(readCall(wire, blank.at))
    } else if (pairOf(wire)) {
      assistant = undefined
      entries.push(readOutput(wire, blank))
    } else if (typeof wire.role === 'string') {
      const message: Entry = { ...blank, role: wire.role, ...readContent(wire.content) }
      assistant = wire.role === 'assistant' ? message : undefined
      entries.push(message)
    }
  }
  return entries
}

const isCall = (item: JsonObject): boolean => item.type !== undefined && pairOf(item)?.call === item.type

function readCall(item: JsonObject, at: string): Call {
  const isFunction = item.type === 'function_call'
  const name = stringOf(item.name) ?? (isFunction ? '' : String(item.type).replace(/_call$/, ''))
  return { id: stringOf(item.call_id), name, args: isFunction ? jsonText(item.arguments) : undefined, at }
}

function readOutput(item: JsonObject, blank: Entry): Entry {
  const result: Entry = {
    ...blank,
    role: 'tool',
    texts: readResult(item.output),
    media: typeof item.output !== 'string',
  }
  const answers = stringOf(item.call_id)
  return answers === undefined ? result : { ...result, answers }
}
