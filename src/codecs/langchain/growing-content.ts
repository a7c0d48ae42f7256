import { type Fields, isRecord } from '../../core/conversation.ts'
import { parseObject } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type ReplyDelta, textDeltas } from '../shared/reply.ts'
import { text } from '../shared/text.ts'
import { isReasoning } from './decode.ts'
import { GrowingList } from './merge.ts'

/** Content that arrives in pieces: a text as long as all of them are, otherwise blocks, which may be plain strings. */
export class GrowingMessageContent {
  #text = new GrowingText()
  #blocks: GrowingList | undefined

  add(content: unknown, deltas: ReplyDelta[]): void {
    if (typeof content === 'string') {
      this.#text.add(content)
      deltas.push(...textDeltas('text', content))
    } else if (Array.isArray(content) && content.length > 0) {
      for (const block of content) {
        deltas.push(...wordsIn(block))
        if (typeof block === 'string') this.#text.add(block)
        else this.#listed().add(block)
      }
    }
  }

  get value(): unknown {
    if (!this.#blocks) return this.#text.text
    return this.#listed().items.map(item => (isRecord(item) ? written(item) : item))
  }

  /** The blocks, with the text that follows the last of them. */
  #listed(): GrowingList {
    const blocks = this.#blocks ?? new GrowingList()
    this.#blocks = blocks
    if (!this.#text.isEmpty) blocks.add({ type: 'text', text: this.#text.text })
    this.#text = new GrowingText()
    return blocks
  }
}

function wordsIn(block: unknown): readonly ReplyDelta[] {
  if (typeof block === 'string') return textDeltas('text', block)
  if (!isRecord(block)) return []
  if (block.type === 'text') return textDeltas('text', text(block.text))
  if (isReasoning(block))
    return textDeltas('reasoning', text(block.thinking) || text(block.reasoning) || text(block.text))
  return []
}

/** Blocks that represent a call have its arguments as a value, unless there are none. */
function written(block: Fields): Fields {
  if (block.type === 'tool_call_chunk') return { ...block, type: 'tool_call', args: valueIn(block.args) }
  return block.type === 'tool_use' || block.type === 'server_tool_use'
    ? { ...block, input: valueIn(block.input) }
    : block
}

const valueIn = (input: unknown): unknown =>
  typeof input === 'string' ? (input.trim() === '' ? {} : (parseObject(input) ?? input)) : input
