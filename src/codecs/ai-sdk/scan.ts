import type { Facts } from '../../core/dialect.ts'
import { hasResultForm } from '../../core/result-blocks.ts'
import type { Scan } from '../codec.ts'
import { hostOf, itemIdOf, replaceStoredFiles, storedFile } from '../shared/ai-sdk-packages.ts'
import { ContentScan } from '../shared/chat-scan.ts'
import { hasWords, ItemIds, isHealthyName, OpenCalls, Turns } from '../shared/scan.ts'
import { isBlank, isOutput } from './input-output.ts'

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
}

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly providerExecuted?: unknown
  readonly providerOptions?: unknown
}

/** Passes plain conversations with tools; approvals, deferred results and old versions are left to the full check. */
export class AiSdkScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns
  readonly #content: ContentScan
  readonly #wordless: boolean
  readonly #items: ItemIds | undefined

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
    this.#content = new ContentScan(facts)
    this.#items = facts.repeatedItem === 'refuse' ? new ItemIds() : undefined
    this.#wordless = facts.blankText === 'accept' && facts.emptyMessage === 'accept'
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const { role, content } = message as Raw
    if (role === 'tool') return this.#tool(content)
    if (!this.#calls.settled) return false
    if (role === 'assistant') return this.#turns.assistant() && this.#assistant(content)
    if (role === 'user') return this.#user(content) && this.#turns.user(content)
    return role === 'system' && typeof content === 'string' && this.#content.alone(content) && this.#turns.system()
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #user(content: unknown): boolean {
    if (typeof content === 'string') return this.#content.alone(content)
    if (!Array.isArray(content) || content.length === 0) return false
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block | null
      if (block?.type === 'text') {
        if (!this.#isText(block.text)) return false
      } else if ((block?.type !== 'image' && block?.type !== 'file') || !this.#isSendable(block)) return false
    }
    return true
  }

  #assistant(content: unknown): boolean {
    if (typeof content === 'string') return this.#content.alone(content)
    if (!Array.isArray(content) || content.length === 0) return false
    this.#calls.reset()
    let called = false
    const items = this.#items
    items?.nextStep()
    let last: unknown
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block | null
      last = block?.type
      if (last === 'tool-call' && block?.providerExecuted === true) {
        if (called || !this.#isPair(block, content[++index])) return false
        if (items?.addRun(block.toolCallId) === false) return false
      } else if (last === 'tool-call') {
        if (!this.#call(block as Block)) return false
        called = true
      } else if (called) return false
      else if (items?.add(itemIdOf(block?.providerOptions)) === false) return false
      else if (last === 'text') {
        if (!this.#isText(block?.text)) return false
      } else if (last !== 'reasoning' && (last !== 'file' || this.#facts.files)) return false
    }
    return last !== 'reasoning'
  }

  #isPair({ toolCallId }: Block, next: Block | null | undefined): boolean {
    if (next?.type !== 'tool-result' || next.toolCallId !== toolCallId || typeof toolCallId !== 'string') return false
    const { hosts } = this.#facts
    return providerIds.test(toolCallId) && (!hosts || hosts.includes(hostOf(toolCallId, '', undefined) ?? ''))
  }

  /** A file that a provider stores is left to the full check. */
  #isSendable(block: Block): boolean {
    return !this.#facts.fileStores || storedFile(block as Readonly<Record<string, unknown>>).stored === undefined
  }

  #areSendable(blocks: unknown): boolean {
    if (!hasResultForm(blocks)) return false
    const { contentResults, resultFileStores } = this.#facts
    if (contentResults !== undefined) return false
    return resultFileStores === undefined || replaceStoredFiles(blocks, resultFileStores) === blocks
  }

  #isText(text: unknown): boolean {
    return typeof text === 'string' && (this.#wordless || hasWords(text))
  }

  #call({ toolCallId, toolName, input, providerExecuted }: Block): boolean {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
    if (providerExecuted !== undefined && providerExecuted !== false) return false
    if (typeof toolCallId !== 'string' || providerIds.test(toolCallId)) return false
    return isHealthyName(this.#facts, toolName) && this.#calls.call(toolCallId)
  }

  #tool(content: unknown): boolean {
    const { last } = this.#turns
    if (!Array.isArray(content) || content.length === 0 || (last !== 'assistant' && last !== 'tool')) return false
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block | null
      if (block?.type !== 'tool-result' || block.providerExecuted === true || !isOutput(block.output)) return false
      if (this.#facts.emptyResult !== 'accept' && isBlank(block.output)) return false
      if (block.output.type === 'content' && !this.#areSendable(block.output.value)) return false
      if (block.toolName === '' || !isHealthyName(this.#facts, block.toolName)) return false
      if (!this.#calls.result(block.toolCallId)) return false
    }
    this.#turns.tool()
    return true
  }
}

/** Ids of calls that providers run. A client's call that has such an id is not passed, so the two are never mixed up. */
const providerIds = /^(srvtoolu|mcptoolu|ws|fs|ci|ig|mcp)_/
