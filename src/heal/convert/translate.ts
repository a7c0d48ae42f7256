import type { Codec } from '../../codecs/codec.ts'
import { type Media, type Piece, wordsOf } from '../../codecs/shared/pieces.ts'
import { piecesOf } from '../../codecs/shared/pieces-of.ts'
import type { EditClass } from '../../core/choices.ts'
import {
  asRecord,
  type CallPart,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type Role,
} from '../../core/conversation.ts'
import { parsedObject } from '../../core/json/json-text.ts'
import { placeholderTexts } from '../../core/placeholder.ts'
import type { RuleContext } from '../../core/rules/rule.ts'
import { CarriedText } from './carried-text.ts'

/** Content that the target format cannot express. */
export interface Loss {
  readonly message: Message
  readonly part?: Part
  readonly kind: 'reasoning' | 'content' | 'provider-call' | 'message'
  readonly text: string
  readonly class: EditClass
  /** Its path in the message, if that is not the path of the part. */
  readonly path?: string
}

/** A conversation without traces of its source format, with blocks of the target format. */
export interface Translated {
  readonly messages: readonly Message[]
  readonly losses: readonly Loss[]
  /** The text of the messages and of the losses. */
  readonly carried: CarriedText
}

/** The id of a call or a result in the target format, and the name of the tool. */
export type Identify = (part: CallPart | ResultPart) => { readonly id: string; readonly name?: string }

/**
 * Removes what only the source format has. Calls and results get their new ids. Content of a result that the target
 * format cannot express is replaced by a stub, or with `elevates` by a labelled user message after the step.
 */
export function translate(
  context: RuleContext,
  from: Codec,
  to: Codec,
  identify: Identify,
  elevates: boolean,
): Translated {
  const translation = new Translation(from, to, identify, elevates)
  for (const message of to.format.idless ? inCallOrder(context) : context.messages) translation.take(message)
  return translation.done()
}

/** The messages with the results of each step in the order of its calls: without ids, order pairs them. */
function inCallOrder({ messages, pairing }: RuleContext): Message[] {
  const ranks = new Map<Message, number>()
  for (const [rank, call] of pairing.calls.entries()) if (call.answer) ranks.set(call.answer.message, rank)
  const ordered: Message[] = []
  for (let start = 0; start < messages.length; ) {
    let end = start + 1
    while (messages[start]?.role === 'tool' && messages[end]?.role === 'tool') end++
    const run = messages.slice(start, end)
    if (run.length > 1) run.sort((one, other) => (ranks.get(one) ?? -1) - (ranks.get(other) ?? -1))
    for (const message of run) ordered.push(message)
    start = end
  }
  return ordered
}

class Translation {
  readonly #from: Codec
  readonly #to: Codec
  readonly #identify: Identify
  readonly #elevates: boolean
  readonly #messages: Message[] = []
  readonly #losses: Loss[] = []
  readonly #carried = new CarriedText()
  /** The index of the source message that is being translated. */
  #origin: number | undefined
  /** Content of results of the current step that becomes a user message. */
  #elevated: Part[] = []

  constructor(from: Codec, to: Codec, identify: Identify, elevates: boolean) {
    this.#from = from
    this.#to = to
    this.#identify = identify
    this.#elevates = elevates
  }

  take(message: Message): void {
    if (message.role === 'other') {
      this.#lose(message, undefined, 'message', 'a message that cannot be read')
      return
    }
    if (message.role !== 'tool') this.#flushElevated()
    this.#origin = message.origin
    const parts: Part[] = []
    for (const part of message.parts) {
      const translated = this.#part(message, part)
      if (translated) parts.push(translated)
    }
    if (parts.length === 0 && message.parts.length > 0) return
    this.#add(message.role, parts, message)
  }

  done(): Translated {
    this.#flushElevated()
    return { messages: this.#messages, losses: this.#losses, carried: this.#carried }
  }

  #part(message: Message, part: Part): Part | undefined {
    switch (part.kind) {
      case 'text':
        return this.#text(part.text, part.raw)
      case 'reasoning':
        this.#lose(message, part, 'reasoning', 'reasoning that only its own provider can read')
        return undefined
      case 'call':
        if (part.by === 'provider') return this.#providerRun(message, part)
        if (part.signature) this.#lose(message, part, 'reasoning', 'a signature that only its own provider can read')
        return this.#call(part)
      case 'result':
        if (part.by === 'provider') return this.#providerRun(message, part)
        return this.#result(message, part)
      case 'other':
        return part.approval ? undefined : this.#other(message, part)
    }
  }

  /** A text part. The text of an item with several blocks is that of all of them. */
  #text(text: string, raw?: unknown): Part {
    this.#carry(text)
    const content = isRecord(raw) ? raw.content : undefined
    if (Array.isArray(content)) for (const block of content) this.#carry(block?.text ?? block?.refusal)
    return { kind: 'text', text }
  }

  #write(media: Media, within: 'user' | 'assistant' | 'result'): unknown {
    const block = piecesOf(this.#to).write(media, within)
    if (block !== undefined) for (const value of [media.data, media.url, block]) this.#carry(value)
    return block
  }

  #carry(value: unknown): void {
    this.#carried.add(value, this.#origin)
  }

  #call(part: CallPart): CallPart {
    const { name, input, callKind, raw } = part
    const { actions } = callKind === 'computer' ? asRecord(raw) : {}
    const value = callKind === 'custom' ? { input } : actions ? { ...asRecord(input), actions } : input
    this.#carry(name)
    this.#carried.addInput(value, this.#origin)
    if (value !== input) {
      this.#carry(input)
      this.#carry(actions)
    }
    return {
      kind: 'call',
      id: this.#identify(part).id,
      name,
      input: this.#to.format.input === 'text' ? asText(value) : parsedObject(value),
      callKind: 'function',
      by: 'client',
    }
  }

  #result(message: Message, part: ResultPart): ResultPart {
    const { id, name } = this.#identify(part)
    const read = piecesOf(this.#from).readResult(part.content, part.raw)
    this.#carry(name)
    if (part.error) for (const word of failureWords) this.#carry(word)
    const pieces = read.map((piece): Piece => {
      if (piece.kind !== 'media') this.#carry(piece.kind === 'text' ? piece.text : piece.value)
      else if (this.#write(piece, 'result') === undefined)
        return { kind: 'text', text: this.#stub(message, part, piece, name) }
      return piece
    })
    const written = part.error ? this.#failed(pieces, part.denied === true) : pieces
    return {
      kind: 'result',
      id,
      ...(name === undefined ? {} : { name }),
      content: piecesOf(this.#to).writeResult(written),
      ...(part.error ? { error: true } : {}),
      ...(part.denied ? { denied: true } : {}),
      callKind: 'function',
      by: 'client',
    }
  }

  /** A failure without text gets one. Where the format cannot mark errors, the text is prefixed. */
  #failed(pieces: readonly Piece[], denied: boolean): readonly Piece[] {
    const words = wordsOf(pieces)
    if (words.trim() === '') {
      const text = denied ? placeholderTexts.denied : '[error] The tool failed and said nothing.'
      return [...pieces, { kind: 'text', text }]
    }
    const isMarked = this.#to.format.marksErrors || /^\W*(error|no result)/i.test(words)
    return isMarked ? pieces : [{ kind: 'text', text: '[error]' }, ...pieces]
  }

  #stub(message: Message, part: ResultPart, media: Media, name = 'a call'): string {
    const block = this.#elevates ? this.#write(media, 'user') : undefined
    if (block === undefined) {
      this.#lose(message, part, 'content', `${article(media)} in a result, which can only be text here`)
      return `[${media.type} left out: it has no place in a result here]`
    }
    const label = `[${media.type} from the result of ${name}]`
    this.#elevated.push({ kind: 'text', text: label }, { kind: 'other', raw: block })
    this.#lose(message, part, 'content', `${article(media)} in a result`, 'elevating')
    return `[${media.type} in the next message]`
  }

  #other(message: Message, part: Part & { kind: 'other' }): Part | undefined {
    if (part.field?.endsWith('refusal') && typeof part.raw === 'string') return this.#text(part.raw)
    const piece = piecesOf(this.#from).read(part.raw)
    if (piece?.kind === 'text') return this.#text(piece.text)
    const within = message.role === 'assistant' ? 'assistant' : 'user'
    const block = piece?.kind === 'media' ? this.#write(piece, within) : undefined
    if (block !== undefined) return { kind: 'other', raw: block }
    if (piece?.kind !== 'media') {
      if (!hasContent(part.raw)) return undefined
      this.#lose(message, part, 'content', 'content that only its own format has')
      return message.role === 'user' ? { kind: 'text', text: '[content left out: it has no place here]' } : undefined
    }
    this.#lose(message, part, 'content', `${article(piece)} that has no place here`)
    return { kind: 'text', text: `[${piece.type} left out: it has no place here]` }
  }

  #providerRun(message: Message, part: Part): undefined {
    this.#lose(message, part, 'provider-call', 'a call that its own provider ran')
    return undefined
  }

  #flushElevated(): void {
    const parts = this.#elevated
    this.#elevated = []
    if (parts.length > 0) this.#add('user', parts)
  }

  #add(role: Role, parts: readonly Part[], { blank, developer, prefix }: Partial<Message> = {}): void {
    const last = this.#messages.at(-1)
    this.#messages.push({
      key: this.#messages.length,
      role,
      parts,
      ...(blank === undefined || parts.length > 0 ? {} : { blank }),
      ...(developer ? { developer } : {}),
      ...(prefix ? { prefix } : {}),
      ...(role === 'tool' && last?.role === 'tool' ? { sharing: 'together' as const } : {}),
    })
  }

  #lose(message: Message, part: Part | undefined, kind: Loss['kind'], text: string, of: EditClass = 'lossy'): void {
    this.#losses.push({ message, ...(part ? { part } : {}), kind, text, class: of })
    this.#carry(part)
    this.#carry(part?.raw)
  }
}

const failureWords = ['error', 'failed']

/** Marks of step starts and cache points have nothing to lose. */
const hasContent = (raw: unknown): boolean =>
  !isRecord(raw) ||
  !(raw.type === 'step-start' || raw.kind === 'cache-point' || ('cachePoint' in raw && Object.keys(raw).length === 1))

const article = ({ type }: Media): string => (type === 'image' || type === 'audio' ? `an ${type}` : `a ${type}`)

function asText(input: unknown): unknown {
  if (typeof input === 'string') return input
  return input === undefined ? '' : JSON.stringify(input)
}
