import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import {
  type Replies,
  type Reply,
  type ReplyDelta,
  type ReplyFold,
  type ReplyMetadata,
  textDeltas,
} from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { read, replyMetadataOf, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) && isRecord(chunk.message) && typeof chunk.done === 'boolean'

const fold = (): ReplyFold => new ChatFold()

export const replies: Replies = { read, recognises, fold }

/** Lines of one message: pieces of text and of thinking, and whole calls. The last line says why it is the last. */
class ChatFold implements ReplyFold {
  failure: unknown
  readonly #content = new GrowingText()
  readonly #thinking = new GrowingText()
  readonly #calls: Fields[] = []
  readonly #others = new Map<string, unknown>()
  #reason: unknown
  #isOver = false
  #about: ReplyMetadata = {}

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk)) return []
    if (chunk.error !== undefined && chunk.error !== null) this.failure ??= chunk.error
    const { model, usage } = replyMetadataOf(chunk)
    this.#about = { model: this.#about.model ?? model, usage: usage ?? this.#about.usage }
    if (chunk.done === true) {
      this.#isOver = true
      this.#reason = chunk.done_reason
    }
    return isRecord(chunk.message) ? this.#add(chunk.message) : []
  }

  end(): Reply {
    const message = {
      ...Object.fromEntries(this.#others),
      content: this.#content.text,
      thinking: this.#thinking.text,
      tool_calls: this.#calls,
    }
    const isWhole = this.#isOver && this.failure === undefined
    return toReply(message, isWhole ? this.#reason : 'error', this.#about)
  }

  #add({ role: _, content, thinking, tool_calls, ...others }: Fields): readonly ReplyDelta[] {
    for (const [key, value] of Object.entries(others)) if (value !== null) this.#others.set(key, value)
    const calls = (Array.isArray(tool_calls) ? tool_calls : []).filter(isRecord)
    return [
      ...textDeltas('reasoning', this.#thinking.add(thinking)),
      ...textDeltas('text', this.#content.add(content)),
      ...calls.flatMap(call => this.#addCall(call)),
    ]
  }

  #addCall(call: Fields): readonly ReplyDelta[] {
    const index = this.#calls.push(call) - 1
    const { name, arguments: input } = isRecord(call.function) ? call.function : {}
    return [
      { kind: 'call', id: idText(call.id), name: text(name), index },
      { kind: 'input', index, text: jsonText(input ?? {}) },
    ]
  }
}
