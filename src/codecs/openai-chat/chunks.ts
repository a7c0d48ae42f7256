import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { type GrowingCall, GrowingCalls } from '../shared/growing-calls.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { GrowingContent } from './growing-content.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { firstChoice, read, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) && (chunk.object === 'chat.completion.chunk' || Array.isArray(chunk.choices))

const fold = (): ReplyFold => new ChatFold()

export const replies: Replies = { read, recognises, fold }

/** Deltas of one message. Unknown fields are joined if they are reasoning text; otherwise the last value wins. */
class ChatFold implements ReplyFold {
  failure: unknown
  readonly #content = new GrowingContent()
  readonly #refusal = new GrowingText()
  readonly #reasoning = new Map<string, GrowingText>()
  readonly #details = new ReasoningDetails()
  readonly #calls = new GrowingCalls()
  /** The other fields of each call, and of the object inside it. */
  readonly #extras = new Map<GrowingCall, Extras>()
  #functionCall: GrowingCall | undefined
  readonly #others = new Map<string, unknown>()
  #reason: unknown
  #isOver = false
  #id: unknown
  #model: unknown
  #usage: unknown

  push(chunk: unknown): readonly ReplyDelta[] {
    if (chunk === '[DONE]') this.#isOver = true
    if (!isRecord(chunk)) return []
    if (isThere(chunk.error)) this.failure ??= chunk.error
    else if (chunk.object === 'error') this.failure ??= chunk
    this.#id ??= chunk.id
    this.#model ??= chunk.model
    this.#usage = chunk.usage ?? this.#usage
    const choice = Array.isArray(chunk.choices) ? firstChoice(chunk.choices) : undefined
    if (!choice) return []
    if (isThere(choice.error)) this.failure ??= choice.error
    if (isThere(choice.finish_reason)) {
      this.#reason = choice.finish_reason
      this.#isOver = true
    }
    const delta = choice.delta ?? choice.message
    return isRecord(delta) ? this.#add(delta) : []
  }

  end(): Reply {
    const calls = this.#calls.calls.map(call => written(call, this.#extras.get(call)))
    const message = {
      role: 'assistant',
      content: this.#content.value,
      ...Object.fromEntries(this.#others),
      ...Object.fromEntries([...this.#reasoning].map(([key, words]) => [key, words.text])),
      ...(this.#details.isEmpty ? {} : { reasoning_details: this.#details.value }),
      ...(this.#refusal.isEmpty ? {} : { refusal: this.#refusal.text }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(this.#functionCall
        ? { function_call: { name: this.#functionCall.name, arguments: this.#functionCall.input.text } }
        : {}),
    }
    const isWhole = this.#isOver && this.failure === undefined
    return toReply(message, isWhole ? this.#reason : 'error', { id: this.#id, model: this.#model, usage: this.#usage })
  }

  #add(delta: Fields): readonly ReplyDelta[] {
    const deltas: ReplyDelta[] = []
    if (delta.content === null) this.#content.add(null, deltas)
    for (const [key, value] of Object.entries(delta)) {
      if (!isThere(value)) continue
      switch (key) {
        case 'role':
          break
        case 'content':
          this.#content.add(value, deltas)
          break
        case 'refusal':
          deltas.push(...textDeltas('text', this.#refusal.add(value)))
          break
        case 'tool_calls':
          if (Array.isArray(value)) for (const call of value) if (isRecord(call)) this.#addCall(call, deltas)
          break
        case 'function_call':
          if (isRecord(value)) this.#functionCall = this.#addFunctionCall(value, deltas)
          break
        case 'reasoning_details':
          this.#details.add(value)
          break
        case 'audio':
          if (isRecord(value) && isThere(value.id)) this.#others.set(key, { id: value.id })
          break
        default:
          this.#addOther(key, value, deltas)
      }
    }
    return deltas
  }

  #addCall(raw: Fields, deltas: ReplyDelta[]): void {
    const { index, id, type: _, function: called, custom, ...others } = raw
    const kind = isRecord(custom) ? 'custom' : 'function'
    const { name, arguments: args, input, ...inside } = isRecord(custom) ? custom : isRecord(called) ? called : {}
    const words = kind === 'custom' ? input : args
    const piece = { index, id: idText(id), name: text(name), input: isRecord(words) ? jsonText(words) : text(words) }
    const call = this.#calls.add(piece, deltas)
    const extras = this.#extras.get(call) ?? { kind, outside: new Map(), inside: new Map() }
    this.#extras.set(call, extras)
    if (isRecord(custom)) extras.kind = kind
    for (const [key, value] of Object.entries(others)) if (isThere(value)) extras.outside.set(key, value)
    for (const [key, value] of Object.entries(inside)) if (isThere(value)) extras.inside.set(key, value)
  }

  /** The one call that a message could make before there were lists. It has no id. */
  #addFunctionCall({ name, arguments: args }: Fields, deltas: ReplyDelta[]): GrowingCall {
    const [call] = this.#only.calls
    const input = isRecord(args) ? jsonText(args) : text(args)
    const piece = { index: 0, id: '', name: call && call.name === text(name) ? '' : text(name), input }
    return this.#only.add(piece, deltas)
  }

  readonly #only = new GrowingCalls()

  #addOther(key: string, value: unknown, deltas: ReplyDelta[]): void {
    if (typeof value !== 'string' || !isReasoning.test(key)) {
      this.#others.set(key, value)
      return
    }
    const words = this.#reasoning.get(key) ?? new GrowingText()
    this.#reasoning.set(key, words)
    const isFirst = this.#reasoning.keys().next().value === key
    const piece = words.add(value)
    if (isFirst) deltas.push(...textDeltas('reasoning', piece))
  }
}

interface Extras {
  kind: 'function' | 'custom'
  readonly outside: Map<string, unknown>
  readonly inside: Map<string, unknown>
}

function written({ id, name, input }: GrowingCall, extras: Extras | undefined): Fields {
  const { kind = 'function', outside = [], inside = [] } = extras ?? {}
  const called = { name, [kind === 'custom' ? 'input' : 'arguments']: input.text, ...Object.fromEntries(inside) }
  return { id, type: kind, [kind]: called, ...Object.fromEntries(outside) }
}

const isReasoning = /reasoning|thinking/

const isThere = (value: unknown): boolean => value !== undefined && value !== null
