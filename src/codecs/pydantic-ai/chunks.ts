import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { read, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean => isRecord(chunk) && typeof chunk.event_kind === 'string'

const fold = (): ReplyFold => new EventFold()

export const replies: Replies = { read, recognises, fold }

/** Events of a run: parts begin and grow. The response is over when its tools run, or the run has a result. */
class EventFold implements ReplyFold {
  failure: unknown
  readonly #parts = new Map<unknown, GrowingPart>()
  #calls = 0
  #isOver = false

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk) || this.#isOver) return []
    if (endings.has(chunk.event_kind)) this.#isOver = true
    if (chunk.event_kind === 'part_start' && isRecord(chunk.part)) return this.#begin(chunk.index, chunk.part)
    if (chunk.event_kind !== 'part_delta' || !isRecord(chunk.delta)) return []
    return this.#parts.get(chunk.index)?.add(chunk.delta) ?? []
  }

  end(): Reply {
    const parts = [...this.#parts.values()].map(part => part.value)
    return toReply(parts, this.#isOver ? undefined : 'error', {})
  }

  #begin(index: unknown, part: Fields): readonly ReplyDelta[] {
    const growing = new GrowingPart(part, part.part_kind === 'tool-call' ? this.#calls++ : -1)
    this.#parts.set(this.#parts.has(index) ? Symbol('another') : index, growing)
    return growing.start()
  }
}

const endings = new Set<unknown>(['agent_run_result', 'function_tool_call', 'function_tool_result'])

/** A part that grows: its text, or the name and the arguments of its call. */
class GrowingPart {
  readonly #fields: Map<string, unknown>
  readonly #kind: unknown
  readonly #call: number
  readonly #words: GrowingText
  #isCallSent = false

  constructor(part: Fields, call: number) {
    const { content, args, ...fields } = part
    this.#fields = new Map(Object.entries(fields))
    this.#kind = part.part_kind
    this.#call = call
    this.#words = new GrowingText(call < 0 ? content : isRecord(args) ? jsonText(args) : args)
    if (call < 0 && typeof content !== 'string' && content !== undefined) this.#fields.set('content', content)
  }

  get value(): Fields {
    const fields = Object.fromEntries(this.#fields)
    if (this.#call >= 0) return { ...fields, args: this.#words.text }
    return 'content' in fields ? fields : { ...fields, content: this.#words.text }
  }

  start(): readonly ReplyDelta[] {
    return this.#call < 0 ? this.#textDeltas(this.#words.text) : this.#callDeltas(this.#words.text)
  }

  add(delta: Fields): readonly ReplyDelta[] {
    if (this.#call < 0) {
      if (typeof delta.signature_delta === 'string') this.#fields.set('signature', delta.signature_delta)
      return this.#textDeltas(this.#words.add(delta.content_delta))
    }
    if (text(delta.tool_name_delta) !== '')
      this.#fields.set('tool_name', text(this.#fields.get('tool_name')) + text(delta.tool_name_delta))
    if (typeof delta.tool_call_id === 'string') this.#fields.set('tool_call_id', delta.tool_call_id)
    const { args_delta: args } = delta
    return this.#callDeltas(this.#words.add(isRecord(args) ? jsonText(args) : args))
  }

  #textDeltas(words: string): readonly ReplyDelta[] {
    if (this.#kind !== 'text' && this.#kind !== 'thinking') return []
    return textDeltas(this.#kind === 'text' ? 'text' : 'reasoning', words)
  }

  /** A call is sent on once it has a name, and its arguments after it. */
  #callDeltas(piece: string): readonly ReplyDelta[] {
    const index = this.#call
    const name = text(this.#fields.get('tool_name'))
    if (!this.#isCallSent && name === '') return []
    const words = this.#isCallSent ? piece : this.#words.text
    const begun: ReplyDelta[] = this.#isCallSent
      ? []
      : [{ kind: 'call', id: idText(this.#fields.get('tool_call_id')), name, index }]
    this.#isCallSent = true
    return words === '' ? begun : [...begun, { kind: 'input', index, text: words }]
  }
}
