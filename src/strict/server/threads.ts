import { isObject, type JsonObject, objects, stringOf } from '../json.ts'
import { type BoundedMemory, sizeOf } from './bounded-memory.ts'

/** The conversations that Anthropic stores for its clients, each under the id of its latest answer. */
export class Threads {
  readonly #stored = new Map<string, StoredThread>()
  readonly #memory: BoundedMemory

  constructor(memory: BoundedMemory) {
    this.#memory = memory
  }

  has(id: string): boolean {
    return this.#stored.has(id)
  }

  /** The request with the history of its thread before it: a continued request has neither history nor tools. */
  whole(body: JsonObject): JsonObject {
    const stored = this.#stored.get(continuedOf(body) ?? '')
    if (!stored) return body
    const { messages, ...settings } = stored
    return { ...settings, ...body, messages: [...messages, ...objects(body.messages)] }
  }

  /** Stores a conversation together with its answer, if the request asks for that. */
  store(id: string, body: JsonObject, content: JsonObject[]): void {
    if (!isObject(body.thread)) return
    const { system, tools, messages } = this.whole(body)
    const stored = { system, tools, messages: [...objects(messages), { role: 'assistant', content }] }
    this.#stored.set(id, stored)
    // Earlier messages are shared with the thread that this one continues.
    const size = sizeOf([body, content]) + entrySize * stored.messages.length
    this.#memory.keep(stored, size, () => this.#stored.delete(id))
  }
}

/** What a reference in a list takes. */
const entrySize = 8

interface StoredThread {
  system: unknown
  tools: unknown
  messages: JsonObject[]
}

/** The answer that a request continues. */
export const continuedOf = ({ thread }: JsonObject): string | undefined =>
  isObject(thread) && thread.type === 'continue' ? stringOf(thread.previous_message_id) : undefined

/** The model should continue its own unfinished turn, without a new message. */
export const isResumption = (body: JsonObject): boolean =>
  continuedOf(body) !== undefined && Array.isArray(body.messages) && body.messages.length === 0
