import { isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, isHealthyResult, mayBeNamed, OpenCalls, Turns } from '../shared/scan.ts'
import { isSendable } from './decode.ts'

interface Step {
  readonly type?: unknown
  readonly id?: unknown
  readonly content?: unknown
  readonly signature?: unknown
  readonly call_id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
  readonly result?: unknown
  readonly is_error?: unknown
}

/** Passes text, thoughts and functions in their plain forms; other steps are left to the full check. */
export class InteractionsScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns
  /** Whether the current answer has a signed thought. */
  #signed = false
  #called = false

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
  }

  push(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    const step = value as Step
    switch (step.type) {
      case 'user_input':
        return this.#calls.settled && isSaid(step.content) && this.#turns.user(step.content)
      case 'model_output':
        return this.#begin() && !this.#called && isSaid(step.content)
      case 'thought':
        return this.#thought(step)
      case 'function_call':
        return this.#call(step)
      case 'function_result':
        return this.#result(step)
    }
    return false
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
    this.#signed = false
    this.#called = false
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  /** The model continues: the first step after results or a user message starts a new answer. */
  #begin(): boolean {
    if (this.#turns.last === 'assistant') return true
    if (!this.#calls.settled || !this.#turns.assistant()) return false
    this.#calls.reset()
    this.#signed = false
    this.#called = false
    return true
  }

  #thought({ signature }: Step): boolean {
    if (!this.#begin() || this.#called) return false
    const isSigned = typeof signature === 'string' && signature !== ''
    this.#signed ||= isSigned
    return isSigned || this.#facts.unsignedThinking === 'accept'
  }

  #call(step: Step): boolean {
    if (!this.#begin() || !isHealthyName(this.#facts, step.name) || !isRecord(step.arguments)) return false
    if (this.#facts.signature !== undefined && !this.#signed) return false
    this.#called = true
    return this.#calls.call(step.id)
  }

  #result({ call_id: id, name, result, is_error: failed }: Step): boolean {
    if (typeof name !== 'string' || name === '' || !mayBeNamed(this.#facts, name)) return false
    if (!isSendable(result) || !isHealthyResult(this.#facts, result, failed === true)) return false
    this.#turns.tool()
    return this.#calls.result(id)
  }
}

/** Contents with words, or media. */
function isSaid(content: unknown): boolean {
  if (!Array.isArray(content) || content.length === 0) return false
  for (const block of content) {
    if (typeof block !== 'object' || block === null) return false
    if (typeof block.text === 'string' && !hasWords(block.text)) return false
  }
  return true
}
