import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { contentTexts, resultTexts } from '../../judge/readers/content.ts'

/**
 * A message is one entry, but each result in it is a separate entry, in the order of the blocks: `user[result, text]` is read
 * as a result and then a user, and `user[text, result]` the other way round.
 */
export function readAnthropicHistory(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) => (isObject(message) ? readMessage(message, index) : []))
}

function readMessage(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `messages[${index}]`
  const blank: HistoryEntry = { role: stringOf(raw.role) ?? '', texts: [], media: false, calls: [], raw, index, at }
  if (!Array.isArray(raw.content)) return [{ ...blank, ...contentTexts(raw.content) }]

  const entries: HistoryEntry[] = []
  let open: HistoryEntry | undefined
  for (const [k, block] of raw.content.entries()) {
    if (!isObject(block)) continue
    if (block.type === 'tool_result') {
      entries.push(readBlockResult(block, blank, `${at}.content[${k}]`))
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

function readBlockResult(block: JsonObject, blank: HistoryEntry, at: string): HistoryEntry {
  const { texts, media } = contentTexts(block.content)
  const result: HistoryEntry = {
    ...blank,
    role: 'tool',
    texts: texts.length > 0 ? texts : resultTexts(block.content),
    media,
    at,
  }
  const answers = stringOf(block.tool_use_id)
  return answers === undefined ? result : { ...result, answers }
}

function addBlock(entry: HistoryEntry, block: JsonObject, at: string): void {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return
  if (block.type === 'tool_use') {
    if (entry.role !== 'assistant') return
    const args = JSON.stringify(block.input) ?? ''
    entry.calls.push({ id: stringOf(block.id), name: stringOf(block.name) ?? '', args, at })
  } else if (block.type === 'text') entry.texts.push(stringOf(block.text) ?? '')
  else entry.media = true
}

/** The blocks of a message in Anthropic's format; empty if its content is a string. */
export const contentBlocks = (message: JsonObject): JsonObject[] => objects(message.content)
