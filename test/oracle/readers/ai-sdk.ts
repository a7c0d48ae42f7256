import { isObject, type JsonObject, objects, stringOf } from '../../../src/strict/json.ts'
import type { HistoryEntry } from '../../../src/strict/judge/entry.ts'
import { contentTexts, resultTexts } from '../../../src/strict/judge/readers/content.ts'

/**
 * A message is one entry, but each result in a tool message is an entry of its own. Approvals leave none, and neither do
 * results of calls that the provider ran: the library sends those in a way of its own.
 */
export function readAiSdk(history: unknown[]): HistoryEntry[] {
  const hosted = new Set<unknown>()
  return history.flatMap((message, index) => {
    if (!isObject(message)) return []
    for (const part of objects(message.content)) {
      if (part.type !== 'tool-call') continue
      if (part.providerExecuted === true) hosted.add(part.toolCallId)
      else hosted.delete(part.toolCallId)
    }
    return readMessage(message, index).filter(entry => entry.answers === undefined || !hosted.has(entry.answers))
  })
}

function readMessage(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `messages[${index}]`
  const blank: HistoryEntry = { role: stringOf(raw.role) ?? '', texts: [], media: false, calls: [], raw, index, at }
  if (!Array.isArray(raw.content)) return raw.role === 'tool' ? [] : [{ ...blank, ...contentTexts(raw.content) }]
  const parts = [...raw.content.entries()].map(([k, part]) => ({ part, at: `${at}.content[${k}]` }))
  if (raw.role !== 'tool') {
    const entry: HistoryEntry = { ...blank, texts: [], calls: [] }
    for (const { part, at } of parts) if (isObject(part)) addPart(entry, part, at)
    return [entry]
  }
  return parts.flatMap(({ part, at }) =>
    isObject(part) && part.type === 'tool-result' ? [readToolResult(part, { ...blank, at })] : [],
  )
}

const silent = new Set<unknown>(['reasoning', 'redacted-reasoning', 'tool-approval-request'])

function addPart(entry: HistoryEntry, part: JsonObject, at: string): void {
  if (silent.has(part.type)) return
  if (part.type === 'tool-call' && part.providerExecuted !== true) {
    if (entry.role !== 'assistant') return
    const args = JSON.stringify('input' in part ? part.input : part.args) ?? ''
    entry.calls.push({ id: stringOf(part.toolCallId), name: stringOf(part.toolName) ?? '', args, at })
  } else if (part.type === 'text') entry.texts.push(stringOf(part.text) ?? '')
  else entry.media = true
}

function readToolResult(part: JsonObject, blank: HistoryEntry): HistoryEntry {
  const output = 'output' in part ? part.output : part.result
  const result: HistoryEntry = {
    ...blank,
    texts: wordsOf(output),
    media: isObject(output) && objects(output.value).some(({ type }) => type !== 'text'),
  }
  const answers = stringOf(part.toolCallId)
  return answers === undefined ? result : { ...result, answers }
}

function wordsOf(output: unknown): string[] {
  if (!isObject(output)) return resultTexts(output)
  if (output.type === 'json' || output.type === 'error-json') return stringsIn(output.value)
  return [...resultTexts(output.value), ...resultTexts(output.reason)]
}

/** Every text in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
