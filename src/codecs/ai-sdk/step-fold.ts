import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText, parseObject } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type ReplyDelta, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'

/**
 * One request to the model, and the results that the library obtained for its calls. `#spoken` has the assistant parts in the
 * order in which they started; `#answers` is the tool message after them.
 */
export class StepFold {
  isDone = false
  calls: number
  /** The ids of calls whose arguments could not be read. */
  readonly incompleteCalls: unknown[] = []
  readonly #before: unknown[] = []
  readonly #spoken: (Words | Call | Fields)[] = []
  readonly #words = new Map<string, Words>()
  readonly #called = new Map<unknown, Call>()
  readonly #answers: Fields[] = []

  /** `calls` is how many calls were made before. */
  constructor(calls: number) {
    this.calls = calls
  }

  push(part: Fields): readonly ReplyDelta[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open(part)
        return []
      case 'text-delta':
      case 'reasoning-delta':
        return this.#grow(part)
      case 'text-end':
      case 'reasoning-end':
        this.#known(part)?.meet(part.providerMetadata)
        return []
      case 'tool-input-start':
        return this.#begin(part.id, part)
      case 'tool-input-delta':
        return this.#called.get(part.id)?.addInput(part.delta) ?? []
      case 'tool-call':
        return this.#call(part)
      default:
        this.#add(part)
        return []
    }
  }

  /** Whether nothing of it can be cut any more: also if it only answers calls that were made before. */
  get isSettled(): boolean {
    return this.isDone || (this.#spoken.length === 0 && this.#called.size === 0)
  }

  /** A call that was started and never completed does not count in a finished step. */
  get messages(): unknown[] {
    const begun = this.isDone ? [] : [...this.#called.values()].filter(({ isSettled }) => !isSettled)
    const parts = [...this.#spoken, ...begun]
    const content = parts.map(part => (part instanceof Words || part instanceof Call ? part.written : part))
    const spoken = content.filter(
      part => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    )
    return [
      ...this.#before,
      ...(spoken.length > 0 ? [{ role: 'assistant', content: spoken }] : []),
      ...(this.#answers.length > 0 ? [{ role: 'tool', content: this.#ordered() }] : []),
    ]
  }

  #known({ type, id }: Fields): Words | undefined {
    return this.#words.get(`${sortOf(type)} ${idText(id)}`)
  }

  #open({ type, id, providerMetadata }: Fields): Words {
    const words = new Words(sortOf(type), providerMetadata)
    this.#words.set(`${sortOf(type)} ${idText(id)}`, words)
    this.#spoken.push(words)
    return words
  }

  #grow(part: Fields): readonly ReplyDelta[] {
    const words = this.#known(part) ?? this.#open(part)
    words.meet(part.providerMetadata)
    return textDeltas(words.type, words.add(part.text))
  }

  /** A call whose arguments start to arrive. */
  #begin(id: unknown, part: Fields): readonly ReplyDelta[] {
    const call = new Call(part.providerExecuted === true ? -1 : this.calls++, { ...part, toolCallId: id })
    this.#called.set(id, call)
    return call.index < 0 ? [] : [{ kind: 'call', id: idText(id), name: text(part.toolName), index: call.index }]
  }

  #call(part: Fields): readonly ReplyDelta[] {
    const begun = this.#called.has(part.toolCallId) ? [] : this.#begin(part.toolCallId, part)
    const call = this.#called.get(part.toolCallId) as Call
    if (!call.isSettled) this.#spoken.push(call)
    if (part.invalid === true && !isRecord(part.input)) this.incompleteCalls.push(part.toolCallId)
    return [...begun, ...call.settle(part)]
  }

  #add(part: Fields): void {
    switch (part.type) {
      case 'custom':
        this.#spoken.push({ type: 'custom', kind: part.kind, ...optionsOf(part) })
        break
      case 'file':
      case 'reasoning-file':
        if (isRecord(part.file)) this.#spoken.push(fileOf(part, part.file))
        break
      case 'tool-result':
        if (part.preliminary !== true) this.#answer(part, outputOf(part.output))
        break
      case 'tool-error':
        this.#answer(part, part.providerExecuted === true ? errorValue(part.error) : errorText(part.error))
        break
      case 'tool-approval-request':
        this.#spoken.push(requestOf(part))
        break
      case 'tool-approval-response':
        this.#decide(part)
        break
      case 'steering-message':
        if (isRecord(part.message)) this.#before.push(part.message)
    }
  }

  /** What the provider ran itself is answered where it was called. */
  #answer(part: Fields, output: Fields): void {
    const { toolCallId, toolName } = part
    const result = { type: 'tool-result', toolCallId, toolName, output, ...optionsOf(part) }
    if (part.providerExecuted === true) this.#spoken.push(result)
    else this.#answers.push(result)
  }

  #decide({ approvalId, approved, reason, providerExecuted, toolCall }: Fields): void {
    const stated = reason === undefined ? {} : { reason }
    const by = providerExecuted === undefined ? {} : { providerExecuted }
    this.#answers.push({ type: 'tool-approval-response', approvalId, approved, ...stated, ...by })
    if (approved !== false || !isRecord(toolCall)) return
    const { toolCallId, toolName } = toolCall
    this.#answers.push({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'execution-denied', ...stated },
    })
  }

  /** Results are in the order of their calls, whichever arrived first. */
  #ordered(): Fields[] {
    const order = new Map([...this.#called.keys()].map((id, index) => [id, index]))
    const rank = ({ toolCallId }: Fields): number => order.get(toolCallId) ?? order.size
    const results = this.#answers.filter(isResult).sort((a, b) => rank(a) - rank(b))
    let next = 0
    return this.#answers.map(part => (isResult(part) ? (results[next++] ?? part) : part))
  }
}

const sortOf = (type: unknown): 'text' | 'reasoning' => (text(type).startsWith('reasoning') ? 'reasoning' : 'text')

const isResult = ({ type }: Fields): boolean => type === 'tool-result'

/** Provider metadata of a part must be sent back with it. */
const optionsOf = ({ providerMetadata }: Fields): Fields =>
  providerMetadata === undefined || providerMetadata === null ? {} : { providerOptions: providerMetadata }

class Words {
  readonly type: 'text' | 'reasoning'
  readonly #words = new GrowingText()
  #metadata: unknown

  constructor(type: 'text' | 'reasoning', metadata: unknown) {
    this.type = type
    this.#metadata = metadata
  }

  add(piece: unknown): string {
    return this.#words.add(piece)
  }

  meet(metadata: unknown): void {
    this.#metadata = metadata ?? this.#metadata
  }

  get written(): Fields {
    return { type: this.type, text: this.#words.text, ...optionsOf({ providerMetadata: this.#metadata }) }
  }
}

class Call {
  readonly index: number
  #raw: Fields
  #input: unknown
  readonly #inputText = new GrowingText()
  isSettled = false

  constructor(index: number, raw: Fields) {
    this.index = index
    this.#raw = raw
  }

  addInput(piece: unknown): readonly ReplyDelta[] {
    const words = this.#inputText.add(piece)
    return words === '' || this.index < 0 ? [] : [{ kind: 'input', index: this.index, text: words }]
  }

  /** The library writes no arguments in the place of those that it could not read. */
  settle(part: Fields): readonly ReplyDelta[] {
    const isUnread = part.invalid === true && !isRecord(part.input)
    const rest = this.#inputText.isEmpty ? this.addInput(isUnread ? part.input : jsonText(part.input)) : []
    this.#raw = part
    this.#input = isUnread ? {} : part.input
    this.isSettled = true
    return rest
  }

  get written(): Fields {
    const { toolCallId, toolName, providerExecuted } = this.#raw
    const input = this.isSettled ? this.#input : (parseObject(this.#inputText.text) ?? this.#inputText.text)
    const by = providerExecuted === undefined ? {} : { providerExecuted }
    return { type: 'tool-call', toolCallId, toolName, input, ...by, ...optionsOf(this.#raw) }
  }
}

function fileOf(part: Fields, { base64, mediaType }: Fields): Fields {
  return { type: part.type, data: base64, mediaType, ...optionsOf(part) }
}

function requestOf({ approvalId, toolCall, reason, isAutomatic, signature }: Fields): Fields {
  const toolCallId = isRecord(toolCall) ? toolCall.toolCallId : undefined
  const known = Object.entries({ reason, isAutomatic, signature }).filter(([, value]) => value !== undefined)
  return { type: 'tool-approval-request', approvalId, toolCallId, ...Object.fromEntries(known) }
}

const outputOf = (output: unknown): Fields =>
  typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: plain(output) }

const errorText = (error: unknown): Fields => ({ type: 'error-text', value: messageOf(error) })

const errorValue = (error: unknown): Fields => ({ type: 'error-json', value: plain(error) })

/** The value as JSON has it; undefined becomes null. */
function plain(value: unknown): unknown {
  const json = jsonText(value)
  return json === '' ? null : JSON.parse(json)
}

/** The text of an error, as the library gives it to the model. */
function messageOf(error: unknown): string {
  if (error === undefined || error === null) return 'unknown error'
  if (typeof error === 'string') return error
  return error instanceof Error ? `${error.name}: ${error.message}` : jsonText(error)
}
