import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'

/** A message is one entry, and each result of the client a separate entry, in the order of the blocks. */
export function readBedrockHistory(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) => (isObject(message) ? readMessage(message, index) : []))
}

function readMessage(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `messages[${index}]`
  const blank: HistoryEntry = { role: stringOf(raw.role) ?? '', texts: [], media: false, calls: [], raw, index, at }
  if (typeof raw.content === 'string') return [{ ...blank, texts: [raw.content] }]
  const entries: HistoryEntry[] = []
  let open: HistoryEntry | undefined
  for (const [k, block] of (Array.isArray(raw.content) ? raw.content : []).entries()) {
    if (!isObject(block) || isObject(block.cachePoint)) continue
    if (isObject(block.toolResult) && block.toolResult.type === undefined) {
      entries.push(readResult(block.toolResult, blank, `${at}.content[${k}]`))
      open = undefined
      continue
    }
    if (!open) {
      open = { ...blank, texts: [], calls: [] }
      entries.push(open)
    }
    addBlock(open, block, `${at}.content[${k}]`)
  }
  return entries.length > 0 ? entries : [blank]
}

/** The texts in a JSON value. */
function readResult({ toolUseId, content }: JsonObject, blank: HistoryEntry, at: string): HistoryEntry {
  const blocks = objects(content)
  const texts = typeof content === 'string' ? [content] : blocks.flatMap(({ text, json }) => textsIn([text, json]))
  const media = blocks.some(({ text }) => typeof text !== 'string')
  const result: HistoryEntry = { ...blank, role: 'tool', texts, media, at }
  const answers = stringOf(toolUseId)
  return answers === undefined ? result : { ...result, answers }
}

function addBlock(entry: HistoryEntry, { text, toolUse, reasoningContent }: JsonObject, at: string): void {
  if (isObject(reasoningContent)) return
  if (isObject(toolUse) && toolUse.type === undefined) {
    if (entry.role !== 'assistant') return
    const args = JSON.stringify(toolUse.input) ?? ''
    entry.calls.push({ id: stringOf(toolUse.toolUseId), name: stringOf(toolUse.name) ?? '', args, at })
  } else if (typeof text === 'string') entry.texts.push(text)
  else entry.media = true
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
