import { type Fields, isRecord } from '../../core/conversation.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type ReplyDelta, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'

/**
 * The messages that the events of a run produce. `#open` is the message, and `#call` the call, that a chunk without an id
 * continues.
 */
export class MessagesFold {
  readonly #messages: (Message | Fields)[] = []
  readonly #byId = new Map<string, Message>()
  readonly #calls = new Map<string, Call>()
  readonly #open = new Map<Role, Message>()
  #call: Call | undefined
  #last: Message | undefined

  push(event: Fields, type: string): readonly ReplyDelta[] {
    switch (type) {
      case 'TEXT_MESSAGE_START':
        this.#begin(event, roleOf(event.role))
        return []
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        return this.#grow(event, roleOf(event.role))
      case 'REASONING_MESSAGE_START':
        this.#begin(event, 'reasoning')
        return []
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
        return this.#grow(event, 'reasoning')
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return textDeltas('reasoning', text(event.delta))
      case 'REASONING_ENCRYPTED_VALUE':
        this.#setEncryptedValue(event)
        return []
      case 'TOOL_CALL_START':
        return this.#beginCall(event)
      case 'TOOL_CALL_ARGS':
        return this.#calls.get(idText(event.toolCallId))?.add(event.delta) ?? []
      case 'TOOL_CALL_CHUNK':
        return this.#growCall(event)
      case 'TOOL_CALL_RESULT':
        this.#answer(event)
    }
    return []
  }

  get written(): Fields[] {
    const messages = this.#messages.map(message => (message instanceof Message ? message.written : message))
    return messages.filter(
      ({ role, content, toolCalls }) => role === 'tool' || content !== '' || toolCalls !== undefined,
    )
  }

  #begin(event: Fields, role: Role): Message {
    const message = new Message(role, idText(event.messageId), event)
    this.#byId.set(message.id, message)
    this.#open.set(kindOf(role), message)
    this.#append(message)
    return message
  }

  #append(message: Message): void {
    this.#messages.push(message)
    this.#last = message
  }

  #grow(event: Fields, role: Role): readonly ReplyDelta[] {
    const id = idText(event.messageId)
    const known = id === '' ? this.#open.get(kindOf(role)) : this.#byId.get(id)
    const message = known ?? this.#begin(event, role)
    this.#open.set(kindOf(role), message)
    const piece = message.words.add(event.delta)
    return message.role === 'assistant' || message.role === 'reasoning'
      ? textDeltas(message.role === 'reasoning' ? 'reasoning' : 'text', piece)
      : []
  }

  /** A call belongs to the message that it names, or else to the last assistant message. */
  #beginCall(event: Fields): readonly ReplyDelta[] {
    const id = idText(event.toolCallId)
    const parent = idText(event.parentMessageId)
    const named = this.#byId.get(parent)
    const last = this.#last?.role === 'assistant' && parent === '' ? this.#last : undefined
    const message = (named?.role === 'assistant' ? named : last) ?? this.#caller(parent === '' ? id : parent, event)
    const call = new Call(id, text(event.toolCallName), event.metadata, this.#calls.size)
    message.calls.push(call)
    this.#calls.set(id, call)
    this.#call = call
    return [{ kind: 'call', id, name: call.name, index: call.index }]
  }

  #caller(id: string, { subagentRunId }: Fields): Message {
    const message = new Message('assistant', id, subagentRunId === undefined ? {} : { subagentRunId })
    this.#byId.set(id, message)
    this.#append(message)
    return message
  }

  #growCall(event: Fields): readonly ReplyDelta[] {
    const id = idText(event.toolCallId)
    const known = id === '' ? this.#call : this.#calls.get(id)
    if (!known && id === '') return []
    const begun = known ? [] : this.#beginCall(event)
    const call = known ?? this.#call
    this.#call = call
    return [...begun, ...(call?.add(event.delta) ?? [])]
  }

  #answer({ messageId, toolCallId, content, subagentRunId, metadata }: Fields): void {
    const known = Object.entries({ subagentRunId, metadata }).filter(([, value]) => value !== undefined)
    this.#messages.push({ id: messageId, role: 'tool', toolCallId, content, ...Object.fromEntries(known) })
    this.#last = undefined
  }

  #setEncryptedValue({ subtype, entityId, encryptedValue }: Fields): void {
    const id = idText(entityId)
    const holder = subtype === 'tool-call' ? this.#calls.get(id) : this.#byId.get(id)
    if (holder) holder.encryptedValue = encryptedValue
  }
}

type Role = 'assistant' | 'user' | 'system' | 'developer' | 'reasoning'

const roleOf = (role: unknown): Role =>
  role === 'user' || role === 'system' || role === 'developer' ? role : 'assistant'

/** Chunks without an id continue the last text, or the last reasoning. */
const kindOf = (role: Role): Role => (role === 'reasoning' ? role : 'assistant')

class Message {
  readonly role: Role
  readonly id: string
  readonly words = new GrowingText()
  readonly calls: Call[] = []
  encryptedValue: unknown
  readonly #fields: Fields

  constructor(role: Role, id: string, { name, subagentRunId, metadata }: Fields) {
    this.role = role
    this.id = id
    const known = Object.entries({ name, subagentRunId, metadata }).filter(([, value]) => value !== undefined)
    this.#fields = Object.fromEntries(known)
  }

  get written(): Fields {
    return {
      id: this.id,
      role: this.role,
      ...this.#fields,
      ...(this.calls.length > 0 && this.words.isEmpty ? {} : { content: this.words.text }),
      ...(this.calls.length > 0 ? { toolCalls: this.calls.map(call => call.written) } : {}),
      ...(this.encryptedValue === undefined ? {} : { encryptedValue: this.encryptedValue }),
    }
  }
}

class Call {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly #metadata: unknown
  readonly #input = new GrowingText()
  encryptedValue: unknown

  constructor(id: string, name: string, metadata: unknown, index: number) {
    this.id = id
    this.name = name
    this.index = index
    this.#metadata = metadata
  }

  add(piece: unknown): readonly ReplyDelta[] {
    const words = this.#input.add(piece)
    return words === '' ? [] : [{ kind: 'input', index: this.index, text: words }]
  }

  get written(): Fields {
    return {
      id: this.id,
      type: 'function',
      function: { name: this.name, arguments: this.#input.text },
      ...(isRecord(this.#metadata) ? { metadata: this.#metadata } : {}),
      ...(this.encryptedValue === undefined ? {} : { encryptedValue: this.encryptedValue }),
    }
  }
}
