import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'

/** An item with its text: that changes only at its end, where white space is cut off its last blocks. */
export function trimTextEnd(raw: Fields, text: string): Fields {
  const blocks = Array.isArray(raw.content) ? raw.content : []
  const before = blocks.map(block => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
  let surplus = before.join('').length - text.length
  if (surplus <= 0 || before.join('').trimEnd() !== text) return raw
  const content = [...blocks]
  for (const [index, words] of [...before.entries()].reverse()) {
    const cut = Math.min(surplus, words.length)
    if (cut > 0) content[index] = { ...asRecord(blocks[index]), text: words.slice(0, words.length - cut) }
    surplus -= cut
  }
  return { ...raw, content }
}
