import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import type { Entry } from '../../judge/entry.ts'
import { readContent, readResult } from '../../judge/readers/content.ts'

/**
 * A message is one entry, but each result in it is an entry of its own, in the order of the blocks: so
 * `user[result, text]` reads as a result and then a user, and `user[text, result]` the other way round.
 */
export function readAnthropic(history: unknown[]): Entry[] {
  return history.flatMap((message, index) => (isObject(message) ? readMessage(message, index) : []))
}

function readMessage(wire: JsonObject, index: number): Entry[] {
  const at = `messages[${index}]`
  const blank: Entry = { role: stringOf(wire.role) ?? '', texts: [], media: false, calls: [], wire, index, at }
  if (!Array.isArray(wire.content)) return [{ ...blank, ...readContent(wire.content) }]

  const entries: Entry[] = []
  let open: Entry | undefined
  for (const [k, block] of wire.content.entries()) {
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

function readBlockResult(block: JsonObject, blank: Entry, at: string): Entry {
  const { texts, media } = readContent(block.content)
  const result: Entry = {
    ...blank,
    role: 'tool',
    texts: texts.length > 0 ? texts : readResult(block.content),
    media,
    at,
  }
  const answers = stringOf(block.tool_use_id)
  return answers === undefined ? result : { ...result, answers }
}

function addBlock(entry: Entry, block: JsonObject, at: string): void {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return
  if (block.type === 'tool_use') {
    if (entry.role !== 'assistant') return
    const args = JSON.stringify(block.input) ?? ''
    entry.calls.push({ id: stringOf(block.id), name: stringOf(block.name) ?? '', args, at })
  } else if (block.type === 'text') entry.texts.push(stringOf(block.text) ?? '')
  else entry.media = true
}

/** The blocks of a message that is written in Anthropic's shape; none if its content is a string. */
export const blocksOf = (message: JsonObject): JsonObject[] => objects(message.content)
