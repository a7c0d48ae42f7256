import type { Event, Message } from '@ag-ui/core'
import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { equal } from '../../core/json/equal.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { ClientCopy } from './client-copy.ts'
import { EventType } from './event-type.ts'
import type { ThreadView } from './thread-view.ts'

/**
 * One step while it streams. Its messages have the ids that they will have when the step is recorded. `#open` is the message that grows,
 * `#held` is white space that does not start a message yet.
 */
export class StepStream {
  readonly base: string
  readonly #view: ThreadView
  readonly #copy: ClientCopy
  readonly #send: (event: Event) => void
  readonly #showsReasoning: boolean
  readonly #texts = new Map<string, string[]>()
  readonly #calls = new Map<number, StreamedCall>()
  readonly #callIds = new Set<string>()
  #segments = 0
  #thoughts = 0
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  #held: { readonly kind: 'text' | 'reasoning'; text: string } | undefined
  #callsId = ''

  constructor(view: ThreadView, copy: ClientCopy, send: (event: Event) => void, showsReasoning: boolean) {
    this.base = view.base
    this.#view = view
    this.#copy = copy
    this.#send = send
    this.#showsReasoning = showsReasoning
  }

  push(delta: ReplyDelta): void {
    if (delta.kind === 'call') this.#beginCall(delta)
    else if (delta.kind === 'input') this.#growCall(delta.index, delta.text)
    else this.#addText(delta.kind, delta.text)
  }

  get callIds(): string[] {
    return [...this.#calls.values()].map(({ id }) => id)
  }

  /** Closes the open message of text or reasoning. */
  endText(): void {
    if (this.#open && this.#isShown) for (const event of endEvents(this.#open.kind, this.#open.id)) this.#send(event)
    this.#open = undefined
  }

  /** Closes open messages and calls. */
  end(): void {
    this.endText()
    for (const call of this.#calls.values()) this.#send({ type: EventType.TOOL_CALL_END, toolCallId: call.id })
  }

  /**
   * Whether the step was recorded as it was streamed. White space in arguments is ignored, and so is reasoning, which not every format
   * stores as it was streamed.
   */
  matches(messages: readonly Message[]): boolean {
    const texts = messages.filter(({ role, id }) => role === 'assistant' && id !== this.#callsId)
    const shown = [...this.#texts].map(([id, pieces]) => ({ id, content: pieces.join('') }))
    const recorded = texts.map(({ id, content }) => ({ id, content }))
    const calls = messages.find(({ id }) => id === this.#callsId)
    const made = calls?.role === 'assistant' ? (calls.toolCalls ?? []) : []
    const streamed = [...this.#calls.values()]
    return (
      equal(recorded, shown) &&
      made.length === streamed.length &&
      made.every((call, index) => {
        const shown = streamed[index]
        return shown?.id === call.id && isSameJson(call.function, shown)
      })
    )
  }

  #addText(kind: 'text' | 'reasoning', text: string): void {
    if (this.#open?.kind !== kind) {
      const held = this.#held?.kind === kind ? this.#held.text + text : text
      this.#held = { kind, text: held }
      if (held.trim() === '') return
      this.#held = undefined
      this.endText()
      this.#beginSegment(kind)
      this.#grow(held)
    } else this.#grow(text)
  }

  #beginSegment(kind: 'text' | 'reasoning'): void {
    const id = kind === 'text' ? `${this.base}-${this.#segments++}` : `${this.base}-thought-${this.#thoughts++}`
    this.#open = { kind, id }
    if (!this.#isShown) return
    if (kind === 'text') this.#texts.set(id, [])
    this.#copy.append(id, kind === 'text' ? 'assistant' : 'reasoning')
    for (const event of startEvents(kind, id)) this.#send(event)
  }

  #grow(delta: string): void {
    if (!this.#open || !this.#isShown) return
    const { kind, id } = this.#open
    this.#texts.get(id)?.push(delta)
    this.#send(contentEvent(kind, id, delta))
  }

  get #isShown(): boolean {
    return this.#open?.kind === 'text' || this.#showsReasoning
  }

  #beginCall({ id: providerId, name, index }: ReplyDelta & { kind: 'call' }): void {
    this.endText()
    this.#held = undefined
    if (this.#calls.size === 0) this.#callsId = `${this.base}-${this.#segments++}`
    const id = this.#view.callName(this.#calls.size, providerId, this.base, undefined, this.#callIds)
    this.#calls.set(index, { id, name, pieces: [] })
    this.#callIds.add(id)
    this.#copy.append(this.#callsId, 'assistant')
    this.#send({
      type: EventType.TOOL_CALL_START,
      toolCallId: id,
      toolCallName: name,
      parentMessageId: this.#callsId,
    })
  }

  #growCall(index: number, delta: string): void {
    const call = this.#calls.get(index)
    if (!call || delta === '') return
    call.pieces.push(delta)
    this.#send({ type: EventType.TOOL_CALL_ARGS, toolCallId: call.id, delta })
  }
}

interface StreamedCall {
  readonly id: string
  readonly name: string
  readonly pieces: string[]
}

function isSameJson(recorded: { name: string; arguments: string }, { name, pieces }: StreamedCall): boolean {
  const text = pieces.join('')
  return recorded.name === name && (recorded.arguments === text || equal(parsed(recorded.arguments), parsed(text)))
}

/** The parsed arguments; an empty text is an empty object. */
function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  const value = tryParseJson(text)
  return value === undefined ? text : value
}

/** The events that start a text or reasoning message. */
export const startEvents = (kind: 'text' | 'reasoning', messageId: string): Event[] =>
  kind === 'text'
    ? [{ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' }]
    : [
        { type: EventType.REASONING_START, messageId },
        { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' },
      ]

export const contentEvent = (kind: 'text' | 'reasoning', messageId: string, delta: string): Event =>
  kind === 'text'
    ? { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta }
    : { type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta }

export const endEvents = (kind: 'text' | 'reasoning', messageId: string): Event[] =>
  kind === 'text'
    ? [{ type: EventType.TEXT_MESSAGE_END, messageId }]
    : [
        { type: EventType.REASONING_MESSAGE_END, messageId },
        { type: EventType.REASONING_END, messageId },
      ]
