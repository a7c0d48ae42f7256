import type { Codec } from '../../codecs/codec.ts'
import { isRecord, type Message } from '../../core/conversation.ts'
import { FormatDetector } from '../../heal/detect.ts'
import { leavesNothing } from '../lost-content.ts'

/**
 * Evidence that a list is a history in its format, message by message. A list that merely could be one is examined but
 * not written: other programs have similar records.
 */
export class Evidence {
  readonly detection = new FormatDetector()
  readonly #names = new ConversationNames()
  readonly #codec: Codec
  #count = 0
  /** It contains something other than results. */
  #isSpoken = false
  #hasPairs = false
  #hasIds = false

  constructor(codec: Codec) {
    this.#codec = codec
  }

  /** Adds a message, and returns what the codec reads in it; nothing for plain text. */
  push(message: unknown): readonly Message[] {
    this.detection.push(message)
    this.#names.push(message)
    this.#count++
    if (this.#codec.opensTurn(message) || this.#codec.closesTurn(message)) {
      this.#isSpoken = true
      return []
    }
    const { messages } = this.#codec.decode([message])
    for (const { parts } of messages)
      for (const part of parts) {
        const isPair = part.kind === 'call' || part.kind === 'result'
        this.#isSpoken ||= part.kind !== 'result'
        this.#hasPairs ||= isPair
        this.#hasIds ||= isPair && (part.id !== '' || part.callKind === 'legacy')
      }
    return messages
  }

  /** Why the list must not be written; undefined if it may be. */
  get whyNotWritten(): string | undefined {
    if (!this.detection.isProven) return unprovenNote
    const field = this.#names.alternating
    if (field !== undefined) return `${severalConversations(field)}, so it is not changed: split it by that field`
    if (this.#count === 1) return note('it is a single message, which is not a history')
    if (!this.#isSpoken) return note('it holds results only, which is not a history')
    if (this.#hasPairs && !this.#hasIds && !this.#codec.format.idless)
      return note('no call and no result in it has an id, so the program that wrote it needs none')
    return undefined
  }
}

/**
 * The conversations that messages name. A log and an export of a table often hold the messages of several, as they came: read as one
 * history, a result would seem late, and text of one conversation would become text of another. A value that changes once is no sign of that:
 * a program may name a session anew when it continues it.
 */
export class ConversationNames {
  readonly #seen = new Map<string, { last: unknown; readonly values: Set<unknown> }>()
  #alternating: string | undefined

  push(message: unknown): void {
    if (!isRecord(message) || this.#alternating !== undefined) return
    for (const field of conversationFields) {
      const value = message[field]
      if (typeof value !== 'string' && typeof value !== 'number') continue
      const seen = this.#seen.get(field)
      if (!seen) this.#seen.set(field, { last: value, values: new Set([value]) })
      else if (value !== seen.last) {
        if (seen.values.has(value)) this.#alternating = field
        seen.values.add(value)
        seen.last = value
      }
    }
  }

  /** A field with a value that comes again after another one. */
  get alternating(): string | undefined {
    return this.#alternating
  }
}

const conversationFields = ['session', 'conversation', 'thread', 'chat'].flatMap(name => [`${name}_id`, `${name}Id`])

export const severalConversations = (field: string): string =>
  `its messages are those of several conversations, which alternate, as their ${field} shows`

/** Whether something in a list proves its format, rather than merely fitting it. */
export function isProven(messages: readonly unknown[]): boolean {
  const detection = new FormatDetector()
  for (const message of messages) detection.push(message)
  return detection.isProven
}

/** Why a list must not be written if nothing would be left of it. */
export const whyNotEmptied = (messages: readonly unknown[], healed: readonly unknown[]): string | undefined =>
  leavesNothing(messages, healed) ? 'a repair would leave none of its messages, so it is not changed' : undefined

/** Why a list that is held as a whole must not be written. */
export function whyNotWritten(
  messages: readonly unknown[],
  healed: readonly unknown[],
  codec: Codec,
): string | undefined {
  const evidence = new Evidence(codec)
  for (const message of messages) evidence.push(message)
  return evidence.whyNotWritten ?? whyNotEmptied(messages, healed)
}

const hint = 'antiphon heal --write --format FORMAT repairs it'
const note = (reason: string): string => `${reason}, so it is not changed: ${hint}`

const unprovenNote = `nothing in it shows which format it is in, so it is not changed: ${hint}`
