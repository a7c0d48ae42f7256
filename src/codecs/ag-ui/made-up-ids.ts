import { type Conversation, isRecord } from '../../core/conversation.ts'
import { shortHash } from '../../core/ids.ts'

/**
 * Ids for made-up messages. They are derived from the message before, so that they do not depend on how much of a history is
 * healed at once: `#front` is that message, `#count` the number of ids made after it.
 */
export class MadeUpIds {
  readonly #decoded: Conversation
  readonly #history: readonly unknown[]
  #taken: Set<unknown> | undefined
  #front = 'first'
  #count = 0

  constructor(decoded: Conversation, history: readonly unknown[]) {
    this.#decoded = decoded
    this.#history = history
  }

  /** Continues after a message that was read. */
  pass(origin: number): void {
    this.#front = `${origin} ${idOf(this.#history[origin])}`
    this.#count = 0
  }

  /** With the id of a call, the message does not depend on other made-up messages before it. */
  next(callId = ''): string {
    this.#taken ??= new Set(this.#decoded.messages.map(({ origin }) => idOf(this.#history[origin as number])))
    const idFrom = (seed: string | number): string => `antiphon-${shortHash(`${this.#front} ${seed}`)}`
    let id = idFrom(callId || ++this.#count)
    while (this.#taken.has(id)) id = idFrom(++this.#count)
    return id
  }
}

const idOf = (raw: unknown): string => (isRecord(raw) && typeof raw.id === 'string' ? raw.id : '')
