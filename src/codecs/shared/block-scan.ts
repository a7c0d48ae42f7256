import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, isHealthyResult, OpenCalls, Turns } from './scan.ts'

/** The kind of a block, as far as a scan accepts it. A mark has no content and is allowed anywhere. */
export type BlockKind = 'text' | 'call' | 'result' | 'thinking' | 'media' | 'mark' | undefined

/** How a format writes its blocks. Each method is called only for blocks of its kind. */
export interface BlockReader {
  kindOf(block: unknown): BlockKind
  text(block: unknown): unknown
  callId(block: unknown): unknown
  name(block: unknown): unknown
  input(block: unknown): unknown
  answers(block: unknown): unknown
  content(block: unknown): unknown
  failed(block: unknown): boolean
}

/** Passes plain conversations with client tools and signed thinking; server tools are left to the full check. */
export abstract class BlockScan implements Scan {
  readonly #facts: Facts
  readonly #blocks: BlockReader
  #calls: OpenCalls
  #turns: Turns

  constructor(facts: Facts, blocks: BlockReader) {
    this.#facts = facts
    this.#blocks = blocks
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const { role, content } = message as { role?: unknown; content?: unknown }
    if (role === 'user') return typeof content === 'string' ? this.#userText(content) : this.#user(content)
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

  fork(): BlockScan | undefined {
    const turns = this.#turns.fork()
    const calls = turns && this.#calls.fork()
    if (!turns || !calls) return undefined
    const scan = this.fresh(this.#facts)
    scan.#turns = turns
    scan.#calls = calls
    return scan
  }

  /** A scan of the same format. */
  protected abstract fresh(facts: Facts): BlockScan

  #userText(content: string): boolean {
    return this.#calls.settled && hasWords(content) && this.#mayFollow() && this.#turns.user(content)
  }

  /** Whether a user message may follow the last message. */
  #mayFollow(): boolean {
    return this.#turns.last !== 'tool' || this.#facts.textAfterResults === 'accept'
  }

  #user(content: unknown): boolean {
    if (!Array.isArray(content)) return false
    const blocks = this.#blocks
    let results = 0
    let others = 0
    for (let index = 0; index < content.length; index++) {
      const block = content[index]
      const kind = blocks.kindOf(block)
      if (kind === 'result') {
        if (others > 0 || (results === 0 && this.#turns.last !== 'assistant')) return false
        if (!isHealthyResult(this.#facts, blocks.content(block), blocks.failed(block))) return false
        this.#turns.tool()
        if (!this.#calls.result(blocks.answers(block))) return false
        results++
      } else if (kind === 'text') {
        const text = blocks.text(block)
        if (typeof text !== 'string' || !hasWords(text)) return false
        others++
      } else if (kind === 'media') others++
      else if (kind !== 'mark') return false
    }
    if (!this.#calls.settled) return false
    if (others === 0) return results > 0
    if (results > 0 ? this.#facts.textBesideResults === 'refuse' : !this.#mayFollow()) return false
    return this.#turns.user(content)
  }

  #assistant(content: unknown): boolean {
    if (!Array.isArray(content)) return false
    const blocks = this.#blocks
    this.#calls.reset()
    let last: BlockKind
    for (let index = 0; index < content.length; index++) {
      const block = content[index]
      const kind = blocks.kindOf(block)
      if (kind === 'mark') continue
      if (kind === 'call') {
        const input = blocks.input(block)
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
        if (!isHealthyName(this.#facts, blocks.name(block)) || !this.#calls.call(blocks.callId(block))) return false
      } else if (last === 'call' && this.#facts.thinkingAfterCall === 'refuse-answered') return false
      else if (kind === 'text') {
        const text = blocks.text(block)
        if (typeof text !== 'string' || !hasWords(text)) return false
      } else if (kind !== 'thinking' || this.#facts.unsignedThinking === 'refuse-all') return false
      last = kind
    }
    return last === 'call' || last === 'text'
  }
}
