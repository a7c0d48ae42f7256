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
import { fieldValue, keys } from './keys.ts'
import { PartialArgs } from './partial-args.ts'
import { endOf, firstCandidate, partsOf, read, replyMetadataOf, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) &&
  (Array.isArray(chunk.candidates) || isRecord(chunk.usageMetadata) || isRecord(chunk.promptFeedback))

const fold = (): ReplyFold => new ContentFold()

export const replies: Replies = { read, recognises, fold }

/** Parts of a turn. Adjacent texts without other fields are joined, and so are adjacent thoughts. */
class ContentFold implements ReplyFold {
  failure: unknown
  readonly #parts: (Words | Call | { readonly raw: Fields })[] = []
  #calls = 0
  #reason: unknown
  #about: ReplyMetadata = {}

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk)) return []
    if (chunk.error !== undefined && chunk.error !== null) this.failure ??= chunk.error
    const { id, model, usage } = replyMetadataOf(chunk)
    this.#about = { id: this.#about.id ?? id, model: this.#about.model ?? model, usage: usage ?? this.#about.usage }
    const candidate = firstCandidate(chunk)
    this.#reason = endOf(chunk, candidate) ?? this.#reason
    return partsOf(candidate).flatMap(part => this.#add(part))
  }

  end(): Reply {
    const reason = this.failure === undefined ? (this.#reason ?? 'error') : 'error'
    return toReply(this.#parts.map(written), reason, this.#about)
  }

  #add(part: Fields): readonly ReplyDelta[] {
    const call = fieldValue(part, keys.call)
    if (isRecord(call)) return this.#addCall(part, call)
    const isThought = part.thought === true
    if (isPlain(part)) {
      const last = this.#parts.at(-1)
      if (last && 'words' in last && last.isThought === isThought) last.words.add(part.text)
      else if (part.text !== '') this.#parts.push({ isThought, words: new GrowingText(part.text) })
    } else this.#parts.push({ raw: part })
    return textDeltas(isThought ? 'reasoning' : 'text', text(part.text))
  }

  /** A call arrives whole, or its arguments follow as long as it says so. */
  #addCall(part: Fields, call: Fields): readonly ReplyDelta[] {
    const last = this.#parts.at(-1)
    if (last && 'args' in last && last.args.isOpen) {
      last.args.add(call)
      for (const [key, value] of Object.entries(part)) last.fields.set(key, value)
      return last.args.isOpen ? [] : [input(last.index, last.args.value)]
    }
    const index = this.#calls++
    const begun: ReplyDelta = { kind: 'call', id: idText(call.id), name: text(call.name), index }
    if (call.willContinue !== true && !Array.isArray(call.partialArgs)) {
      this.#parts.push({ raw: part })
      return [begun, input(index, call.args ?? {})]
    }
    const args = new PartialArgs(call)
    this.#parts.push({ fields: new Map(Object.entries(part)), call, args, index })
    return args.isOpen ? [begun] : [begun, input(index, args.value)]
  }
}

const input = (index: number, args: unknown): ReplyDelta => ({ kind: 'input', index, text: jsonText(args) })

interface Words {
  readonly isThought: boolean
  readonly words: GrowingText
}

interface Call {
  readonly fields: Map<string, unknown>
  readonly call: Fields
  readonly args: PartialArgs
  readonly index: number
}

/** Whether a part is text without other fields that would have to be sent back unchanged. */
const isPlain = (part: Fields): boolean =>
  typeof part.text === 'string' && Object.keys(part).every(key => key === 'text' || key === 'thought')

function written(part: Words | Call | { readonly raw: Fields }): Fields {
  if ('raw' in part) return part.raw
  if ('words' in part) return { text: part.words.text, ...(part.isThought ? { thought: true } : {}) }
  const { partialArgs: _, willContinue: __, ...call } = part.call
  const functionCall = { ...call, args: part.args.value, ...(part.args.isOpen ? { willContinue: true } : {}) }
  return { ...Object.fromEntries(part.fields), functionCall }
}
