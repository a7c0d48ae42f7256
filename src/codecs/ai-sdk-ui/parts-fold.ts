import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type ReplyDelta, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'

/**
 * The parts of a message, in the order in which they arrived. `#words` and `#calls` find those that still change: texts and
 * thoughts by their id, calls by theirs, in the open step or else in the latest before it.
 */
export class PartsFold {
  #parts: Part[] = []
  #words = new Map<string, Words>()
  readonly #calls = new Map<unknown, Call>()
  readonly #approvals = new Map<unknown, Call>()
  readonly #data = new Map<string, Plain>()
  /** Where the open step starts, and the number of parts in completed steps. */
  #step = 0
  #done = 0
  #count = 0

  push(chunk: Fields, type: string): readonly ReplyDelta[] {
    switch (type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open(chunk, type)
        return []
      case 'text-delta':
      case 'reasoning-delta':
        return this.#grow(chunk, type)
      case 'text-end':
      case 'reasoning-end':
        this.#close(chunk, type)
        return []
      case 'start-step':
        this.#step = this.#parts.push(new Plain({ type: 'step-start' }))
        return []
      case 'finish-step':
        this.#done = this.#parts.length
        return []
      case 'reset-step':
        this.#reset()
        return []
    }
    if (type.startsWith('tool-')) return this.#call(chunk, type)
    if (type.startsWith('data-')) this.#keep(chunk, type)
    else if (kept.has(type)) this.#parts.push(new Plain(chunk))
    return []
  }

  get written(): { parts: Fields[]; done: number } {
    return { parts: this.#parts.map(part => part.written), done: Math.min(this.#done, this.#parts.length) }
  }

  #open(chunk: Fields, type: string): Words {
    const words = new Words(sortOf(type), chunk)
    this.#words.set(`${sortOf(type)} ${idText(chunk.id)}`, words)
    this.#parts.push(words)
    return words
  }

  #grow(chunk: Fields, type: string): readonly ReplyDelta[] {
    const words = this.#words.get(`${sortOf(type)} ${idText(chunk.id)}`) ?? this.#open(chunk, type)
    return textDeltas(words.type, words.add(chunk))
  }

  #close(chunk: Fields, type: string): void {
    const key = `${sortOf(type)} ${idText(chunk.id)}`
    this.#words.get(key)?.end(chunk)
    this.#words.delete(key)
  }

  /** The step starts again: its content so far is discarded. */
  #reset(): void {
    for (const part of this.#parts.splice(this.#step)) {
      if (part instanceof Call) this.#calls.delete(part.id)
      if (part instanceof Plain) this.#data.delete(part.key)
    }
    this.#words = new Map()
  }

  /** Data that has an id is one part, which changes; what passes by is none. */
  #keep(chunk: Fields, type: string): void {
    if (chunk.transient === true) return
    const key = `${type} ${idText(chunk.id)}`
    const known = idText(chunk.id) === '' ? undefined : this.#data.get(key)
    if (known) known.set('data', chunk.data)
    else {
      const part = new Plain(chunk, key)
      this.#parts.push(part)
      this.#data.set(key, part)
    }
  }

  #call(chunk: Fields, type: string): readonly ReplyDelta[] {
    const opens = type.startsWith('tool-input-') && type !== 'tool-input-delta'
    if (type === 'tool-approval-response') {
      this.#approvals.get(chunk.approvalId)?.decide(chunk)
      return []
    }
    const known = this.#calls.get(chunk.toolCallId)
    const isOpen = known !== undefined && (!opens || known.step === this.#step)
    if (!isOpen && !opens) return []
    const call = isOpen ? known : this.#begin(chunk)
    const begun = isOpen ? [] : call.begun
    if (type === 'tool-approval-request') this.#approvals.set(chunk.approvalId, call)
    return [...begun, ...call.push(chunk, type)]
  }

  #begin(chunk: Fields): Call {
    const call = new Call(chunk, this.#step, chunk.providerExecuted === true ? -1 : this.#count++)
    this.#calls.set(chunk.toolCallId, call)
    this.#parts.push(call)
    return call
  }
}

interface Part {
  readonly written: Fields
}

const kept = new Set<unknown>(['custom', 'file', 'reasoning-file', 'source-url', 'source-document', 'steering-message'])

const sortOf = (type: string): 'text' | 'reasoning' => (type.startsWith('reasoning') ? 'reasoning' : 'text')

class Plain implements Part {
  readonly key: string
  readonly #fields: Map<string, unknown>

  constructor(fields: Fields, key = '') {
    this.key = key
    this.#fields = new Map(Object.entries(fields))
  }

  set(key: string, value: unknown): void {
    this.#fields.set(key, value)
  }

  get written(): Fields {
    return Object.fromEntries(this.#fields)
  }
}

class Words implements Part {
  readonly type: 'text' | 'reasoning'
  readonly #id: unknown
  readonly #words = new GrowingText()
  #metadata: unknown
  #citations: unknown
  #isDone = false

  constructor(type: 'text' | 'reasoning', { id, providerMetadata }: Fields) {
    this.type = type
    this.#id = id
    this.#metadata = providerMetadata
  }

  add({ delta, providerMetadata }: Fields): string {
    this.#metadata = providerMetadata ?? this.#metadata
    return this.#words.add(delta)
  }

  end({ citations, providerMetadata }: Fields): void {
    this.#metadata = providerMetadata ?? this.#metadata
    this.#citations = citations ?? this.#citations
    this.#isDone = true
  }

  get written(): Fields {
    return {
      type: this.type,
      ...(this.type === 'reasoning' ? { id: this.#id } : {}),
      text: this.#words.text,
      ...(this.#citations === undefined ? {} : { citations: this.#citations }),
      ...(this.#metadata === undefined ? {} : { providerMetadata: this.#metadata }),
      state: this.#isDone ? 'done' : 'streaming',
    }
  }
}

class Call implements Part {
  readonly id: unknown
  readonly step: number
  readonly #index: number
  readonly #fields: Map<string, unknown>
  readonly #inputText = new GrowingText()

  constructor({ toolCallId, toolName, dynamic }: Fields, step: number, index: number) {
    this.id = toolCallId
    this.step = step
    this.#index = index
    const name = text(toolName)
    const type = dynamic === true ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` }
    this.#fields = new Map(Object.entries({ ...type, toolCallId, state: 'input-streaming' }))
  }

  get begun(): readonly ReplyDelta[] {
    const type = text(this.#fields.get('type'))
    const name = type === 'dynamic-tool' ? text(this.#fields.get('toolName')) : type.slice('tool-'.length)
    return this.#index < 0 ? [] : [{ kind: 'call', id: idText(this.id), name, index: this.#index }]
  }

  push(chunk: Fields, type: string): readonly ReplyDelta[] {
    switch (type) {
      case 'tool-input-delta':
        return this.#addInput(chunk.inputTextDelta)
      case 'tool-input-start':
        this.#lay(chunk, { state: 'input-streaming' }, 'call')
        return []
      case 'tool-input-available':
        this.#lay(chunk, { state: 'input-available', input: chunk.input }, 'call')
        return this.#inputText.isEmpty ? this.#addInput(jsonText(chunk.input)) : []
      case 'tool-input-error':
        this.#lay(chunk, { state: 'output-error', input: chunk.input, errorText: chunk.errorText }, 'result')
        return []
      case 'tool-output-available': {
        const { output, preliminary } = chunk
        this.#lay(
          chunk,
          { state: 'output-available', output, ...(preliminary === undefined ? {} : { preliminary }) },
          'result',
        )
        if (preliminary === undefined) this.#fields.delete('preliminary')
        return []
      }
      case 'tool-output-error':
        this.#lay(chunk, { state: 'output-error', errorText: chunk.errorText }, 'result')
        return []
      case 'tool-output-denied':
        this.#fields.set('state', 'output-denied')
        return []
      case 'tool-approval-request':
        this.#ask(chunk)
    }
    return []
  }

  decide({ approvalId, approved, reason, providerExecuted, providerMetadata }: Fields): void {
    const asked = this.#fields.get('approval')
    const stated = reason === undefined || reason === null ? {} : { reason }
    this.#fields.set('state', 'approval-responded')
    this.#fields.set('approval', { ...(isRecord(asked) ? asked : {}), id: approvalId, approved, ...stated })
    if (isThere(providerExecuted)) this.#fields.set('providerExecuted', providerExecuted)
    if (isThere(providerMetadata)) this.#fields.set('callProviderMetadata', providerMetadata)
  }

  /** Arguments that are still coming are shown as the text that they are so far. */
  get written(): Fields {
    const fields = Object.fromEntries(this.#fields)
    return fields.state === 'input-streaming' && !this.#inputText.isEmpty
      ? { ...fields, rawInput: this.#inputText.text }
      : fields
  }

  #addInput(piece: unknown): readonly ReplyDelta[] {
    const words = this.#inputText.add(piece)
    return words === '' || this.#index < 0 ? [] : [{ kind: 'input', index: this.#index, text: words }]
  }

  #lay(chunk: Fields, fields: Fields, about: 'call' | 'result'): void {
    for (const [key, value] of Object.entries(fields)) this.#fields.set(key, value)
    for (const key of ['title', 'toolMetadata', 'providerExecuted'])
      if (isThere(chunk[key])) this.#fields.set(key, chunk[key])
    if (isThere(chunk.providerMetadata)) this.#fields.set(`${about}ProviderMetadata`, chunk.providerMetadata)
  }

  #ask(chunk: Fields): void {
    const { approvalId: id, approvalDescriptor: descriptor, reason: requestReason, isAutomatic, signature } = chunk
    const known = Object.entries({ descriptor, requestReason, signature }).filter(([, value]) => isThere(value))
    this.#fields.set('state', 'approval-requested')
    this.#fields.set('approval', {
      id,
      ...Object.fromEntries(known),
      ...('inputSchemaInput' in chunk ? { inputSchemaInput: chunk.inputSchemaInput } : {}),
      ...(isAutomatic === true ? { isAutomatic } : {}),
    })
  }
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null
