import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { text } from '../shared/text.ts'
import { byCallType } from './call-kinds.ts'
import { isServerSearch } from './decode.ts'
import { finishIn, read, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) && typeof chunk.type === 'string' && chunk.type.startsWith('response.')

const fold = (): ReplyFold => new ResponsesFold()

export const replies: Replies = { read, recognises, fold }

/** Items that grow by events. The final response wins over events, and the final item over its deltas. */
class ResponsesFold implements ReplyFold {
  failure: unknown
  readonly #items = new Map<unknown, Item>()
  #latest: Item | undefined
  #calls = 0
  #response: Fields = {}
  #isOver = false

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk) || typeof chunk.type !== 'string') return []
    if (chunk.type === 'error') this.failure ??= chunk.error ?? chunk
    if (!chunk.type.startsWith('response.')) return []
    if (isRecord(chunk.response)) this.#read(chunk.type, chunk.response)
    return this.#grow(chunk.type.slice('response.'.length), chunk)
  }

  end(): Reply {
    const { output } = this.#response
    const isWhole = this.#isOver && this.failure === undefined
    const hasOutput = isWhole && Array.isArray(output) && output.length > 0
    const items = hasOutput ? output : [...this.#items.values()].map(item => item.written)
    return toReply(items, isWhole ? finishIn(this.#response) : 'cut', this.#response)
  }

  #read(type: string, response: Fields): void {
    this.#response = type === 'response.incomplete' ? { ...response, status: 'incomplete' } : response
    if (type === 'response.completed' || type === 'response.incomplete') this.#isOver = true
    if (type === 'response.failed') this.failure ??= response.error ?? response
  }

  #grow(type: string, event: Fields): readonly ReplyDelta[] {
    switch (type) {
      case 'output_item.added':
      case 'output_item.done':
        return isRecord(event.item) ? this.#addItem(type, event.item, event) : []
      case 'content_part.added':
      case 'content_part.done':
        this.#itemOf(event).part('content', event.content_index, event.part)
        return []
      case 'reasoning_summary_part.added':
      case 'reasoning_summary_part.done':
        this.#itemOf(event).part('summary', event.summary_index, event.part)
        return []
      case 'output_text.delta':
        return textDeltas('text', this.#itemOf(event).words('content', event.content_index, 'text', event.delta))
      case 'refusal.delta':
        return textDeltas('text', this.#itemOf(event).words('content', event.content_index, 'refusal', event.delta))
      case 'reasoning_text.delta':
        return textDeltas('reasoning', this.#itemOf(event).words('content', event.content_index, 'text', event.delta))
      case 'reasoning_summary_text.delta':
        return textDeltas('reasoning', this.#itemOf(event).words('summary', event.summary_index, 'text', event.delta))
      case 'function_call_arguments.delta':
      case 'custom_tool_call_input.delta':
        return this.#itemOf(event).addInput(event.delta)
    }
    return []
  }

  #addItem(type: string, raw: Fields, event: Fields): readonly ReplyDelta[] {
    const key = event.output_index ?? raw.id
    const known = this.#items.get(key)
    const item = known ?? new Item(byCallType.has(raw.type) && !isServerSearch(raw) ? this.#calls++ : -1)
    if (!known) this.#items.set(key, item)
    this.#latest = item
    return type === 'output_item.done' ? item.close(raw) : item.open(raw)
  }

  /** The item that an event is about, or else the latest; text for which no item was announced becomes a message. */
  #itemOf({ output_index, item_id }: Fields): Item {
    const known = this.#items.get(output_index ?? item_id) ?? this.#latest
    if (known) return known
    this.#latest = new Item(-1)
    this.#latest.open({ type: 'message', role: 'assistant' })
    this.#items.set(output_index ?? item_id, this.#latest)
    return this.#latest
  }
}

type List = 'content' | 'summary'

class Item {
  /** Which call of the reply it is; -1 if it is none. */
  readonly #call: number
  #raw: Fields = {}
  #isClosed = false
  #isAnnounced = false
  readonly #lists = { content: new Map<unknown, Part>(), summary: new Map<unknown, Part>() }
  readonly #input = new GrowingText()

  constructor(call: number) {
    this.#call = call
  }

  open(raw: Fields): readonly ReplyDelta[] {
    this.#raw = raw
    return this.#announce()
  }

  /** The final item. New arguments are reported then. */
  close(raw: Fields): readonly ReplyDelta[] {
    this.#raw = raw
    this.#isClosed = true
    const input = this.#call < 0 ? undefined : raw[byCallType.get(raw.type)?.input ?? '']
    const words = this.#input.isEmpty ? (typeof input === 'string' ? input : jsonText(input)) : ''
    return [...this.#announce(), ...(this.#call < 0 ? [] : this.addInput(words))]
  }

  addInput(delta: unknown): readonly ReplyDelta[] {
    const piece = this.#input.add(delta)
    return piece === '' || this.#call < 0 ? [] : [{ kind: 'input', index: this.#call, text: piece }]
  }

  part(list: List, index: unknown, raw: unknown): void {
    if (isRecord(raw)) this.#partOf(list, index).raw = raw
  }

  words(list: List, index: unknown, key: Part['key'], delta: unknown): string {
    const part = this.#partOf(list, index)
    part.key = key
    return part.words.add(delta)
  }

  get written(): Fields {
    if (this.#isClosed) return this.#raw
    const key = byCallType.get(this.#raw.type)?.input
    const input = key === undefined || this.#input.isEmpty ? {} : { [key]: this.#input.text }
    return { ...this.#raw, ...this.#listed('content'), ...this.#listed('summary'), ...input }
  }

  #announce(): readonly ReplyDelta[] {
    if (this.#call < 0 || this.#isAnnounced) return []
    this.#isAnnounced = true
    const kind = byCallType.get(this.#raw.type)
    const name = kind?.named ? text(this.#raw.name) : (kind?.callKind ?? '')
    return [{ kind: 'call', id: text(this.#raw.call_id), name, index: this.#call }]
  }

  #partOf(list: List, index: unknown): Part {
    const parts = this.#lists[list]
    const part = parts.get(index) ?? { raw: {}, key: 'text', words: new GrowingText() }
    parts.set(index, part)
    return part
  }

  #listed(list: List): Fields {
    const parts = [...this.#lists[list].values()].map(({ raw, key, words }) => ({
      type: list === 'summary' ? 'summary_text' : key === 'refusal' ? key : partTypes.get(this.#raw.type),
      ...raw,
      ...(words.isEmpty ? {} : { [key]: words.text }),
    }))
    return parts.length === 0 ? {} : { [list]: parts }
  }
}

const partTypes = new Map<unknown, string>([
  ['message', 'output_text'],
  ['reasoning', 'reasoning_text'],
])

interface Part {
  raw: Fields
  key: 'text' | 'refusal'
  readonly words: GrowingText
}
