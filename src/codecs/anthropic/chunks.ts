import { type Fields, isRecord } from '../../core/conversation.ts'
import { parseObject } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { read, toReply } from './reply.ts'

const events = new Set<unknown>([
  ...['message_start', 'message_delta', 'message_stop'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
])

const recognises = (chunk: unknown): boolean => isRecord(chunk) && events.has(chunk.type)

const fold = (): ReplyFold => new MessageFold()

export const replies: Replies = { read, recognises, fold }

/** Blocks that grow one after the other. */
class MessageFold implements ReplyFold {
  failure: unknown
  readonly #blocks: Block[] = []
  readonly #byIndex = new Map<unknown, Block>()
  #calls = 0
  #message: Fields = {}
  readonly #usage = new Map<string, unknown>()
  #reason: unknown
  #isOver = false

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk)) return []
    switch (chunk.type) {
      case 'message_start':
        if (isRecord(chunk.message)) this.#message = chunk.message
        this.#measure(this.#message.usage)
        return []
      case 'content_block_start':
        return isRecord(chunk.content_block) ? this.#open(chunk.index, chunk.content_block) : []
      case 'content_block_delta':
        return isRecord(chunk.delta) ? this.#add(chunk.index, chunk.delta) : []
      case 'message_delta':
        if (isRecord(chunk.delta)) this.#reason = chunk.delta.stop_reason ?? this.#reason
        this.#measure(chunk.usage)
        return []
      case 'message_stop':
        this.#isOver = true
        return []
      case 'error':
        this.failure ??= chunk.error ?? chunk
    }
    return []
  }

  end(): Reply {
    const { id, model } = this.#message
    const reason = this.#isOver && this.failure === undefined ? this.#reason : 'error'
    const content = this.#blocks.map(block => block.written)
    const usage = this.#usage.size > 0 ? Object.fromEntries(this.#usage) : undefined
    return toReply(content, reason, { id, model, usage })
  }

  #open(index: unknown, raw: Fields): readonly ReplyDelta[] {
    const isCall = raw.type === 'tool_use'
    const call = isCall ? this.#calls++ : -1
    const block = new Block(raw, call)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    if (isCall) return [{ kind: 'call', id: idText(raw.id), name: text(raw.name), index: call }]
    return text(raw.text) === '' ? [] : [{ kind: 'text', text: text(raw.text) }]
  }

  /** Text for which no block was opened opens one. */
  #add(index: unknown, delta: Fields): readonly ReplyDelta[] {
    if (!this.#byIndex.has(index) && typeof delta.text === 'string') this.#open(index, { type: 'text', text: '' })
    return this.#byIndex.get(index)?.add(delta) ?? []
  }

  /** The counts at the end are of the whole message, and leave out what has not changed. */
  #measure(usage: unknown): void {
    if (!isRecord(usage)) return
    for (const [key, count] of Object.entries(usage))
      if ((count !== null && count !== undefined) || !this.#usage.has(key)) this.#usage.set(key, count)
  }
}

class Block {
  readonly #raw: Fields
  /** Which call of the reply it is; -1 if the client does not answer it. */
  readonly #call: number
  readonly #text: GrowingText
  readonly #thinking: GrowingText
  readonly #input = new GrowingText()
  readonly #citations: unknown[] = []
  /** Fields that arrive whole. */
  readonly #fields = new Map<string, unknown>()

  constructor(raw: Fields, call: number) {
    this.#raw = raw
    this.#call = call
    this.#text = new GrowingText(raw.text)
    this.#thinking = new GrowingText(raw.thinking)
  }

  add(delta: Fields): readonly ReplyDelta[] {
    switch (delta.type) {
      case 'text_delta':
        return textDeltas('text', this.#text.add(delta.text))
      case 'thinking_delta':
        return textDeltas('reasoning', this.#thinking.add(delta.thinking))
      case 'input_json_delta': {
        const piece = this.#input.add(delta.partial_json)
        return this.#call < 0 || piece === '' ? [] : [{ kind: 'input', index: this.#call, text: piece }]
      }
      case 'citations_delta':
        if (isRecord(delta.citation)) this.#citations.push(delta.citation)
        break
      case 'signature_delta':
        this.#fields.set('signature', delta.signature)
        break
      case 'compaction_delta':
        for (const key of ['content', 'encrypted_content']) if (key in delta) this.#fields.set(key, delta[key])
    }
    return []
  }

  /** The block. Arguments that are not an object stay text. */
  get written(): Fields {
    const { citations } = this.#raw
    return {
      ...this.#raw,
      ...(this.#text.isEmpty ? {} : { text: this.#text.text }),
      ...(this.#thinking.isEmpty ? {} : { thinking: this.#thinking.text }),
      ...(this.#citations.length === 0
        ? {}
        : { citations: [...(Array.isArray(citations) ? citations : []), ...this.#citations] }),
      ...Object.fromEntries(this.#fields),
      ...(this.#input.isEmpty ? {} : { input: parseObject(this.#input.text) ?? this.#input.text }),
    }
  }
}
