import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import { hasResultForm } from '../../core/result-blocks.ts'
import type { Scan } from '../codec.ts'
import { ContentScan } from '../shared/chat-scan.ts'
import { isHealthyName, isHealthyResult, mayBeNamed, OpenCalls, Turns } from '../shared/scan.ts'
import { blockId, isWholeBlock } from './calls.ts'
import { isReasoning, isSigned } from './decode.ts'
import {
  contentOf,
  fieldsOf,
  fileIn,
  hasBlockContent,
  isAside,
  isDeveloper,
  isEmptyBlock,
  isEmptyContent,
  isFilled,
  isUnsendable,
  kindOf,
  roleOf,
  typeOf,
} from './form.ts'
import { isProviderBlock } from './provider-calls.ts'

/**
 * Accepts every form; calls that could not be parsed, or that are only in a provider's own list or field, are left to the
 * full check.
 */
export class LangChainScan implements Scan {
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
    if (!isRecord(message)) return false
    const type = typeOf(message)
    const role = roleOf(type)
    const fields = fieldsOf(message)
    if (role === 'other') return isAside(message)
    if (role === 'tool') return kindOf(type) === 'tool' && this.#tool(fields)
    if (!this.#calls.settled) return false
    if (role === 'assistant') return this.#assistant(fields)
    const content = contentOf(fields)
    if (Array.isArray(content) && !(content.every(this.#isBlock) && content.some(this.#isSent))) return false
    if (role === 'user') return this.#content.alone(content) && this.#turns.user(content)
    if (this.#facts.developer === 'refuse' && isDeveloper(type, fields)) return false
    return this.#content.alone(content) && this.#turns.system()
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #tool(fields: Fields): boolean {
    const { name, tool_call_id } = fields
    const content = contentOf(fields)
    if (this.#facts.standardResults === 'unsent' && hasBlockContent(fields)) return false
    if (typeof name === 'string' && !mayBeNamed(this.#facts, name)) return false
    if (this.#turns.last !== 'tool' && this.#turns.last !== 'assistant') return false
    if (typeof content !== 'string' && !(isFilled(content) && hasResultForm(content))) return false
    if (!isHealthyResult(this.#facts, content, true)) return false
    if (this.#facts.files && Array.isArray(content) && !content.every(this.#isBlock)) return false
    this.#turns.tool()
    return this.#calls.result(tool_call_id)
  }

  #assistant(fields: Fields): boolean {
    const { tool_calls: calls, invalid_tool_calls: invalid, additional_kwargs: extras } = fields
    const content = contentOf(fields)
    if (!isEmptyContent(invalid)) return false
    if (!isFilled(calls)) {
      if (!isEmptyContent(calls)) return false
      const { tool_calls, function_call } = (extras ?? nothing) as Fields
      if (tool_calls !== undefined || function_call !== undefined) return false
      return this.#content.alone(content) && this.#fits(content, none) && this.#turns.assistant()
    }
    const { missingReasoning } = this.#facts
    if (missingReasoning === 'refuse' && typeof (extras as Fields | null | undefined)?.reasoning_content !== 'string')
      return false
    if (!isEmptyContent(content) && !(this.#content.withCalls(content) && this.#fits(content, calls))) return false
    if (!this.#turns.assistant()) return false
    this.#calls.reset()
    for (let index = 0; index < calls.length; index++) if (!this.#call(calls[index])) return false
    return true
  }

  #call(call: unknown): boolean {
    if (!isRecord(call)) return false
    const { function: called } = call
    if (!isRecord(called)) {
      if (!isHealthyName(this.#facts, call.name) || !isRecord(call.args)) return false
    } else if (!isHealthyName(this.#facts, called.name) || !isJson(called.arguments)) return false
    return this.#calls.call(call.id)
  }

  /**
   * Blocks that represent calls are in the order of `calls`, one for each, and after all text; reasoning alone is not
   * content.
   */
  #fits(content: unknown, calls: readonly unknown[]): boolean {
    if (!Array.isArray(content)) return true
    const { emptyMessage, textAfterCall, unsignedThinking } = this.#facts
    let next = 0
    let hasContent = calls.length > 0 || emptyMessage === 'accept'
    for (let index = 0; index < content.length; index++) {
      const block = content[index]
      if (!this.#isBlock(block) || isProviderBlock(block)) return false
      const id = blockId(block)
      if (id === undefined) {
        const isThought = isReasoning(block)
        const isSuspect = unsignedThinking === 'refuse-all' || (unsignedThinking === 'refuse' && !isSigned(block))
        if (isThought ? isSuspect : next > 0 && textAfterCall !== 'accept') return false
        hasContent ||= !isThought && this.#isSent(block)
      } else {
        if (!isWholeBlock(block)) return false
        while (next < calls.length && (calls[next] as Fields | null)?.id !== id) next++
        if (next++ >= calls.length) return false
      }
    }
    return hasContent
  }

  /** A text in a list of blocks can be bare. */
  readonly #isBlock = (block: unknown): boolean =>
    typeof block === 'string' ||
    (isRecord(block) &&
      !isEmptyBlock(block) &&
      !(this.#facts.files && (fileIn(block).file === 'neither' || isUnsendable(block))))

  /** A block of a type that is left out is not content. These types are sent from every list, others are left to the full check. */
  readonly #isSent = (block: unknown): boolean =>
    !isRecord(block) ||
    !this.#facts.sentBlocks ||
    block.type === 'text' ||
    block.type === 'image' ||
    block.type === 'file'
}

const none: readonly unknown[] = []
const nothing: Fields = {}

const isJson = (input: unknown): boolean => typeof input === 'string' && isJsonObject(input)
