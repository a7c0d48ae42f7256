import type { Facts } from '../../core/dialect.ts'
import { hasResultForm } from '../../core/result-blocks.ts'
import type { Scan } from '../codec.ts'
import {
  hasWords,
  isHealthyName,
  isHealthyResult,
  isHealthyText,
  mayBeNamed,
  OpenCalls,
  Turns,
} from '../shared/scan.ts'
import { isEmptyList } from './decode.ts'

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly name?: unknown
  readonly reasoning_content?: unknown
  readonly function_call?: unknown
}

/** The hottest path there is: written out, where others share `chat-scan.ts`. */
export class ChatScan implements Scan {
  readonly #facts: Facts
  #calls: OpenCalls
  #turns: Turns
  readonly #plainBlocks: boolean
  readonly #wordless: boolean
  readonly #empty: boolean
  /** Results must have text. */
  readonly #choosy: boolean

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
    const { emptyMessage, blankText } = facts
    this.#choosy = facts.emptyResult !== 'accept'
    this.#wordless = emptyMessage !== 'refuse-blank' && blankText !== 'refuse-blank'
    this.#empty = emptyMessage === 'accept' || emptyMessage === 'refuse-null'
    this.#plainBlocks = this.#empty && blankText === 'accept' && facts.refusalField === 'accept'
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const raw = message as Raw
    const { role } = raw
    if (role === 'assistant') return this.#calls.settled && this.#assistant(raw)
    if (this.#facts.emptyCalls === 'refuse' && isEmptyList(raw.tool_calls)) return false
    if (role === 'tool') return this.#tool(raw)
    if (!this.#calls.settled) return false
    if (role === 'user') return this.#content(raw.content) && this.#turns.user(raw.content)
    if (role === 'system' || (role === 'developer' && this.#facts.developer === 'accept')) {
      return this.#content(raw.content) && this.#turns.system()
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

  fork(): ChatScan | undefined {
    const turns = this.#turns.fork()
    const calls = turns && this.#calls.fork()
    if (!turns || !calls) return undefined
    const scan = new ChatScan(this.#facts)
    scan.#turns = turns
    scan.#calls = calls
    return scan
  }

  #tool(raw: Raw): boolean {
    const { content, name } = raw
    if (typeof name === 'string' && !mayBeNamed(this.#facts, name)) return false
    if (this.#turns.last !== 'tool' && this.#turns.last !== 'assistant') return false
    if (typeof content !== 'string' && (!Array.isArray(content) || content.length === 0 || !hasResultForm(content)))
      return false
    if (this.#choosy && !isHealthyResult(this.#facts, content, false)) return false
    this.#turns.tool()
    return this.#calls.result(raw.tool_call_id)
  }

  #assistant(raw: Raw): boolean {
    const calls = raw.tool_calls
    if (raw.function_call !== undefined || raw.tool_call_id !== undefined) return false
    if (calls === undefined || calls === null) return this.#content(raw.content) && this.#turns.assistant()
    if (!Array.isArray(calls) || calls.length === 0) return false
    if (this.#facts.missingReasoning === 'refuse' && typeof raw.reasoning_content !== 'string') return false
    if (!this.#contentBesideCalls(raw.content) || !this.#turns.assistant()) return false
    this.#calls.reset()
    for (let index = 0; index < calls.length; index++) {
      const call = calls[index]
      if (typeof call !== 'object' || call === null) return false
      const called = call.function
      if (typeof called !== 'object' || called === null || call.custom !== undefined) return false
      if (!isHealthyName(this.#facts, called.name) || !isHealthyText(this.#facts, called.arguments)) return false
      if (!this.#calls.call(call.id)) return false
    }
    return true
  }

  #contentBesideCalls(content: unknown): boolean {
    const wanted = this.#facts.contentBesideCalls
    if (content === null) return wanted !== 'text'
    if (content === undefined) return wanted === 'any' || wanted === 'nothing-or-words'
    if (content === '') return wanted !== 'nothing-or-words'
    return typeof content === 'string' ? this.#wordless || hasWords(content) : this.#blocks(content)
  }

  #content(content: unknown): boolean {
    if (typeof content !== 'string') return this.#blocks(content)
    return content === '' ? this.#empty : this.#wordless || hasWords(content)
  }

  #blocks(content: unknown): boolean {
    if (!Array.isArray(content) || content.length === 0) return false
    if (this.#plainBlocks) return true
    for (const block of content) {
      if (typeof block !== 'object' || block === null || block.type === 'refusal') return false
      if (block.type === 'text' && (typeof block.text !== 'string' || !hasWords(block.text))) return false
    }
    return true
  }
}
