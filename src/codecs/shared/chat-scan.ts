import type { Facts } from '../../core/dialect.ts'
import { hasWords, isHealthyName, isHealthyText, type OpenCalls } from './scan.ts'

/** Looks over content that is a text or a list of blocks. */
export class ContentScan {
  readonly #wordless: boolean
  readonly #empty: boolean
  readonly #plainBlocks: boolean

  constructor({ emptyMessage, blankText }: Facts) {
    this.#wordless = emptyMessage !== 'refuse-blank' && blankText !== 'refuse-blank'
    this.#empty = emptyMessage === 'accept' || emptyMessage === 'refuse-null'
    this.#plainBlocks = this.#empty && blankText === 'accept'
  }

  /** The content of a message that has nothing else. */
  alone(content: unknown): boolean {
    return content === '' ? this.#empty : this.withCalls(content)
  }

  /** Content of a message with calls, if it has any. */
  withCalls(content: unknown): boolean {
    return typeof content === 'string' ? this.#wordless || hasWords(content) : this.#blocks(content)
  }

  #blocks(content: unknown): boolean {
    if (!Array.isArray(content) || content.length === 0) return false
    if (this.#plainBlocks) return true
    for (const block of content) {
      if (typeof block !== 'object' || block === null) return false
      if (block.type === 'text' && (typeof block.text !== 'string' || !hasWords(block.text))) return false
    }
    return true
  }
}

/** Reads the list of calls of a new step; false at the first call that is not healthy. */
export function takeCalls(list: readonly unknown[], facts: Facts, calls: OpenCalls): boolean {
  calls.reset()
  for (let index = 0; index < list.length; index++) {
    const call = list[index] as { id?: unknown; function?: { name?: unknown; arguments?: unknown }; custom?: unknown }
    if (typeof call !== 'object' || call === null) return false
    const called = call.function
    if (typeof called !== 'object' || called === null || call.custom !== undefined) return false
    if (!isHealthyName(facts, called.name) || !isHealthyText(facts, called.arguments)) return false
    if (!calls.call(call.id)) return false
  }
  return true
}
