import { type Fields, isRecord } from '../../core/conversation.ts'
import { parseObject } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { read, toReply } from './reply.ts'

const members = [
  ...['messageStart', 'messageStop', 'metadata'],
  ...['contentBlockStart', 'contentBlockDelta', 'contentBlockStop'],
]

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) && members.some(member => isRecord(chunk[member])) && !('type' in chunk)

const fold = (): ReplyFold => new ConverseFold()

export const replies: Replies = { read, recognises, fold }

/** Blocks that grow one after the other. Only calls, results and images are announced. */
class ConverseFold implements ReplyFold {
  failure: unknown
  readonly #blocks: Block[] = []
  readonly #byIndex = new Map<unknown, Block>()
  #calls = 0
  #reason: unknown
  #usage: unknown

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk)) return []
    const { contentBlockStart: start, contentBlockDelta: delta, messageStop, metadata } = chunk
    if (isRecord(messageStop)) this.#reason = messageStop.stopReason ?? 'end_turn'
    if (isRecord(metadata)) this.#usage = metadata.usage ?? this.#usage
    if (isRecord(start) && isRecord(start.start)) return this.#open(start.contentBlockIndex, start.start)
    if (isRecord(delta) && isRecord(delta.delta)) return this.#blockAt(delta.contentBlockIndex).add(delta.delta)
    if (Object.keys(chunk).some(member => member.endsWith('Exception'))) this.failure ??= chunk
    return []
  }

  end(): Reply {
    const reason = this.failure === undefined ? (this.#reason ?? 'error') : 'error'
    return toReply(
      this.#blocks.map(block => block.written),
      reason,
      { usage: this.#usage },
    )
  }

  #open(index: unknown, start: Fields): readonly ReplyDelta[] {
    const { toolUse } = start
    const isCall = isRecord(toolUse) && toolUse.type !== 'server_tool_use'
    const call = isCall ? this.#calls++ : -1
    this.#add(index, new Block(start, call))
    return isCall ? [{ kind: 'call', id: idText(toolUse.toolUseId), name: text(toolUse.name), index: call }] : []
  }

  #blockAt(index: unknown): Block {
    return this.#byIndex.get(index) ?? this.#add(index, new Block({}, -1))
  }

  #add(index: unknown, block: Block): Block {
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    return block
  }
}

class Block {
  readonly #start: Fields
  /** Which call of the reply it is; -1 if the client does not answer it. */
  readonly #call: number
  readonly #text = new GrowingText()
  readonly #input = new GrowingText()
  readonly #thought = new GrowingText()
  readonly #signature = new GrowingText()
  readonly #redacted: unknown[] = []
  readonly #citations: unknown[] = []
  readonly #results: unknown[] = []
  readonly #image = new Map<string, unknown>()
  /** What the SDK does not know either. */
  #unknown: Fields | undefined

  constructor(start: Fields, call: number) {
    this.#start = start
    this.#call = call
  }

  add(delta: Fields): readonly ReplyDelta[] {
    const { text: words, toolUse, reasoningContent, citation, toolResult, image } = delta
    if (typeof words === 'string') return textDeltas('text', this.#text.add(words))
    if (isRecord(toolUse)) {
      const piece = this.#input.add(toolUse.input)
      return this.#call < 0 || piece === '' ? [] : [{ kind: 'input', index: this.#call, text: piece }]
    }
    if (isRecord(reasoningContent)) {
      this.#signature.add(reasoningContent.signature)
      if (isThere(reasoningContent.redactedContent)) this.#redacted.push(reasoningContent.redactedContent)
      return textDeltas('reasoning', this.#thought.add(reasoningContent.text))
    }
    if (isRecord(citation)) this.#citations.push(citation)
    else if (Array.isArray(toolResult)) for (const block of toolResult) this.#results.push(block)
    else if (isRecord(image)) for (const [key, value] of Object.entries(image)) this.#image.set(key, value)
    else this.#unknown ??= delta
    return []
  }

  /** The block. Arguments that are not an object stay text. */
  get written(): Fields {
    const { toolUse, toolResult, image } = this.#start
    if (isRecord(toolUse)) {
      const input = this.#input.text
      return { toolUse: { ...toolUse, input: input === '' ? {} : (parseObject(input) ?? input) } }
    }
    if (isRecord(toolResult)) return { toolResult: { ...toolResult, content: this.#results } }
    if (isRecord(image) || this.#image.size > 0)
      return { image: { ...(isRecord(image) ? image : {}), ...Object.fromEntries(this.#image) } }
    if (this.#redacted.length > 0) return { reasoningContent: { redactedContent: joined(this.#redacted) } }
    if (!this.#thought.isEmpty || !this.#signature.isEmpty)
      return { reasoningContent: { reasoningText: this.#reasoning } }
    if (this.#citations.length > 0)
      return { citationsContent: { content: [{ text: this.#text.text }], citations: this.#citations } }
    return this.#text.isEmpty && this.#unknown ? this.#unknown : { text: this.#text.text }
  }

  get #reasoning(): Fields {
    return { text: this.#thought.text, ...(this.#signature.isEmpty ? {} : { signature: this.#signature.text }) }
  }
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** Encrypted content is bytes, or base64 in JSON. */
function joined(pieces: readonly unknown[]): unknown {
  if (pieces.length === 1) return pieces[0]
  const bytes = pieces.filter(piece => piece instanceof Uint8Array)
  if (bytes.length < pieces.length) return pieces.map(text).join('')
  const whole = new Uint8Array(bytes.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of bytes) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
