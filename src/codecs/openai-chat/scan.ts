import type { Facts } from '../../core/dialect.ts'
import { ContentScan, takeCalls } from '../chat-scan.ts'
import type { Scan } from '../codec.ts'
import { isHealthyName, isHealthyResult, OpenCalls, Turns } from '../scan.ts'

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly name?: unknown
  readonly reasoning_content?: unknown
  readonly function_call?: unknown
}

export class ChatScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns
  readonly #content: ContentScan

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
    this.#content = new ContentScan(facts)
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const raw = message as Raw
    const { role } = raw
    if (role === 'tool') return this.#tool(raw)
    if (!this.#calls.settled) return false
    if (role === 'assistant') return this.#assistant(raw)
    if (role === 'user') return this.#content.alone(raw.content) && this.#turns.user(raw.content)
    if (role === 'system' || (role === 'developer' && this.#facts.developer === 'accept')) {
      return this.#content.alone(raw.content) && this.#turns.system()
    }
    return false
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #tool(raw: Raw): boolean {
    const { content, name } = raw
    if (typeof name === 'string' && name !== '' && !isHealthyName(this.#facts, name)) return false
    if (this.#turns.last !== 'tool' && this.#turns.last !== 'assistant') return false
    if (typeof content !== 'string' && (!Array.isArray(content) || content.length === 0)) return false
    if (!isHealthyResult(this.#facts, content, false)) return false
    this.#turns.tool()
    return this.#calls.result(raw.tool_call_id)
  }

  #assistant(raw: Raw): boolean {
    const calls = raw.tool_calls
    if (raw.function_call !== undefined || raw.tool_call_id !== undefined) return false
    if (calls === undefined || calls === null) return this.#content.alone(raw.content) && this.#turns.assistant()
    if (!Array.isArray(calls) || calls.length === 0) return false
    if (this.#facts.missingReasoning === 'refuse' && typeof raw.reasoning_content !== 'string') return false
    if (!this.#contentBesideCalls(raw.content) || !this.#turns.assistant()) return false
    return takeCalls(calls, this.#facts, this.#calls)
  }

  #contentBesideCalls(content: unknown): boolean {
    const wanted = this.#facts.contentBesideCalls
    if (content === null) return wanted !== 'text'
    if (content === undefined) return wanted === 'any' || wanted === 'nothing-or-words'
    if (content === '') return wanted !== 'nothing-or-words'
    return this.#content.besideCalls(content)
  }
}
