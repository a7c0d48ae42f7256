import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, OpenCalls, Turns } from '../scan.ts'

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly tool_use_id?: unknown
  readonly content?: unknown
  readonly signature?: unknown
}

const isEmpty = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

/** Passes plain conversations with client tools and signed thinking; server tools are left to the full check. */
export class AnthropicScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const { role, content } = message as { role?: unknown; content?: unknown }
    if (role === 'user') return typeof content === 'string' ? this.#says(content) : this.#user(content)
    if (role !== 'assistant' || !this.#calls.settled || !this.#turns.assistant()) return false
    return typeof content === 'string' ? hasWords(content) : this.#assistant(content)
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #says(content: string): boolean {
    return this.#calls.settled && hasWords(content) && this.#turns.user(content)
  }

  #user(content: unknown): boolean {
    if (!Array.isArray(content) || content.length === 0) return false
    let index = 0
    for (; index < content.length; index++) {
      const block = content[index] as Block | null
      if (block?.type !== 'tool_result') break
      if (this.#turns.last !== 'assistant' && index === 0) return false
      if (this.#facts.emptyResult === 'refuse' && isEmpty(block.content)) return false
      this.#turns.tool()
      if (!this.#calls.result(block.tool_use_id)) return false
    }
    if (!this.#calls.settled) return false
    if (index === content.length) return true
    if (index > 0 && this.#facts.textBesideResults === 'refuse') return false
    for (let rest = index; rest < content.length; rest++) {
      const block = content[rest] as Block | null
      if (
        block?.type === 'text'
          ? typeof block.text !== 'string' || !hasWords(block.text)
          : block?.type !== 'image' && block?.type !== 'document'
      ) {
        return false
      }
    }
    return this.#turns.user(content)
  }

  #assistant(content: unknown): boolean {
    if (!Array.isArray(content) || content.length === 0) return false
    this.#calls.reset()
    let called = false
    let last: unknown
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block | null
      last = block?.type
      if (last === 'tool_use') {
        const { id, name, input } = block as Block
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
        if (!isHealthyName(this.#facts, name) || !this.#calls.call(id)) return false
        called = true
      } else if (called) return false
      else if (last === 'text') {
        const { text } = block as Block
        if (typeof text !== 'string' || !hasWords(text)) return false
      } else if (last !== 'thinking' || typeof block?.signature !== 'string' || block.signature === '') return false
    }
    return last !== 'thinking'
  }
}
