import { isObject, type JsonObject, objects, stringOf } from '../../../src/strict/json.ts'
import type { Entry } from '../../../src/strict/judge/entry.ts'
import { readContent, readResult } from '../../../src/strict/judge/readers/content.ts'

/**
 * A message is one entry, but each result in a tool message is an entry of its own. Approvals leave none, and neither do
 * results of calls that the provider ran: the library sends those in a way of its own.
 */
export function readAiSdk(history: unknown[]): Entry[] {
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

function readMessage(wire: JsonObject, index: number): Entry[] {
  const at = `messages[${index}]`
  const blank: Entry = { role: stringOf(wire.role) ?? '', texts: [], media: false, calls: [], wire, index, at }
  if (!Array.isArray(wire.content)) return wire.role === 'tool' ? [] : [{ ...blank, ...readContent(wire.content) }]
  const parts = [...wire.content.entries()].map(([k, part]) => ({ part, at: `${at}.content[${k}]` }))
  if (wire.role !== 'tool') {
    const entry: Entry = { ...blank, texts: [], calls: [] }
    for (const { part, at } of parts) if (isObject(part)) addPart(entry, part, at)
    return [entry]
  }
  return parts.flatMap(({ part, at }) =>
    isObject(part) && part.type === 'tool-result' ? [readToolResult(part, { ...blank, at })] : [],
  )
}

const silent = new Set<unknown>(['reasoning', 'redacted-reasoning', 'tool-approval-request'])

function addPart(entry: Entry, part: JsonObject, at: string): void {
  if (silent.has(part.type)) return
  if (part.type === 'tool-call' && part.providerExecuted !== true) {
    if (entry.role !== 'assistant') return
    const args = JSON.stringify('input' in part ? part.input : part.args) ?? ''
    entry.calls.push({ id: stringOf(part.toolCallId), name: stringOf(part.toolName) ?? '', args, at })
  } else if (part.type === 'text') entry.texts.push(stringOf(part.text) ?? '')
  else entry.media = true
}

function readToolResult(part: JsonObject, blank: Entry): Entry {
  const output = 'output' in part ? part.output : part.result
  const result: Entry = {
    ...blank,
    texts: wordsOf(output),
    media: isObject(output) && objects(output.value).some(({ type }) => type !== 'text'),
  }
  const answers = stringOf(part.toolCallId)
  return answers === undefined ? result : { ...result, answers }
}

function wordsOf(output: unknown): string[] {
  if (!isObject(output)) return readResult(output)
  if (output.type === 'json' || output.type === 'error-json') return stringsIn(output.value)
  return [...readResult(output.value), ...readResult(output.reason)]
}

/** Every text in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
