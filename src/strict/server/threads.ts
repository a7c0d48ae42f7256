import { isObject, type JsonObject, objects, stringOf } from '../json.ts'

/** The conversations that Anthropic stores for its clients, each under the id of its latest answer. */
export class Threads {
  readonly #held = new Map<string, Held>()

  has(id: string): boolean {
    return this.#held.has(id)
  }

  /** The request with the history of its thread before it: a continued request has neither history nor tools. */
  whole(body: JsonObject): JsonObject {
    const held = this.#held.get(continuedOf(body) ?? '')
    if (!held) return body
    const { messages, ...settings } = held
    return { ...settings, ...body, messages: [...messages, ...objects(body.messages)] }
  }

  /** Stores a conversation together with its answer, if the request asks for that. */
  hold(id: string, body: JsonObject, content: JsonObject[]): void {
    if (!isObject(body.thread)) return
    const { system, tools, messages } = this.whole(body)
    this.#held.set(id, { system, tools, messages: [...objects(messages), { role: 'assistant', content }] })
  }
}

interface Held {
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
