import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { ContentScan, takeCalls } from '../shared/chat-scan.ts'
import { isHealthyName, isHealthyResult, OpenCalls, Turns } from '../shared/scan.ts'

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
  readonly toolCalls?: unknown
  readonly tool_calls?: unknown
  readonly toolCallId?: unknown
  readonly tool_call_id?: unknown
  readonly name?: unknown
  readonly error?: unknown
}

/** `#turn` has the ids of the calls since the user last spoke: one of them again may be the same call, sent twice. */
export class AgUiScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns
  readonly #content: ContentScan
  readonly #turn = new Set<unknown>()

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
    if (role === 'activity' || role === 'reasoning') return true
    if (role === 'tool') return this.#tool(raw)
    if (!this.#calls.settled) return false
    if (role === 'assistant') return this.#assistant(raw)
    if (role === 'user') {
      this.#turn.clear()
      return this.#content.alone(raw.content) && this.#turns.user(raw.content)
    }
    if (role === 'system' || (role === 'developer' && this.#facts.developer === 'accept')) {
      return this.#content.alone(raw.content) && this.#turns.system()
    }
    return false
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
    this.#turn.clear()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #tool(raw: Raw): boolean {
    const { content, name } = raw
    if (typeof name === 'string' && name !== '' && !isHealthyName(this.#facts, name)) return false
    if (this.#turns.last !== 'tool' && this.#turns.last !== 'assistant') return false
    if (typeof content !== 'string' && (!Array.isArray(content) || content.length === 0)) return false
    if (!isHealthyResult(this.#facts, content, typeof raw.error === 'string')) return false
    this.#turns.tool()
    return this.#calls.result(raw.toolCallId ?? raw.tool_call_id)
  }

  #assistant(raw: Raw): boolean {
    const { content } = raw
    const calls = raw.toolCalls ?? raw.tool_calls
    if (calls === undefined || calls === null) return this.#content.alone(content) && this.#turns.assistant()
    if (!Array.isArray(calls) || calls.length === 0 || !this.#turns.assistant()) return false
    if (content !== undefined && content !== null && content !== '' && !this.#content.withCalls(content)) return false
    return takeCalls(calls, this.#facts, this.#calls) && this.#areNew(calls)
  }

  #areNew(calls: readonly { readonly id: unknown }[]): boolean {
    for (const { id } of calls) {
      if (this.#turn.has(id)) return false
      this.#turn.add(id)
    }
    return true
  }
}
