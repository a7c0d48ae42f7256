import type { Facts } from '../../core/dialect.ts'
import { hasResultForm } from '../../core/result-blocks.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, isHealthyResult, isHealthyText, OpenCalls, Turns } from '../shared/scan.ts'
import { SeenIds } from '../shared/seen-ids.ts'

interface Item {
  readonly type?: unknown
  readonly role?: unknown
  readonly id?: unknown
  readonly content?: unknown
  readonly call_id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly encrypted_content?: unknown
}

/** Passes messages, functions, custom tools and reasoning in their plain forms; other items are left to the full check. */
export class ResponsesScan implements Scan {
  readonly #facts: Facts
  #calls: OpenCalls
  #turns: Turns
  #ids: SeenIds | undefined
  readonly #custom = new Set<string>()
  /** The last item is reasoning and needs a follower. */
  #leads = false
  /** The last reasoning has lost its id, and brings nothing else that it could be known by. */
  #lost = false
  /** Whether the turn has reasoning that can be found. */
  #reasoned = false
  #called = false

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
    this.#ids = facts.repeatedItem === 'refuse' ? new SeenIds() : undefined
  }

  push(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    const item = value as Item
    switch (item.type) {
      case 'function_call':
      case 'custom_tool_call':
        return this.#call(item, item.type === 'custom_tool_call')
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#result(item, item.type === 'custom_tool_call_output')
      case 'reasoning':
        return this.#reasoning(item)
      case 'message':
        return item.role === 'assistant' ? this.#assistantMessage(item) : this.#inputMessage(item)
      case undefined:
        return item.role === 'assistant' ? this.#assistantMessage(item) : this.#inputMessage(item)
    }
    return false
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
    this.#leads = false
    this.#lost = false
    this.#reasoned = false
    this.#called = false
  }

  end(): boolean {
    return this.#calls.settled && !this.#leads && this.#turns.end()
  }

  #knows(id: unknown): boolean {
    if (id === undefined || id === null) return true
    if (typeof id !== 'string' || id === '' || id.endsWith('_') || !/^[a-zA-Z0-9_-]+$/.test(id)) return false
    return this.#ids?.add(id) !== false
  }

  fork(): ResponsesScan | undefined {
    const turns = this.#leads ? undefined : this.#turns.fork()
    const calls = turns && this.#calls.fork()
    const ids = this.#ids?.fork()
    if (!turns || !calls || (this.#ids && !ids)) return undefined
    const scan = new ResponsesScan(this.#facts)
    scan.#turns = turns
    scan.#calls = calls
    scan.#ids = ids
    scan.#lost = this.#lost
    scan.#reasoned = this.#reasoned
    scan.#called = this.#called
    return scan
  }

  /** The assistant continues: the first item after results or a user message starts a new step. */
  #begin(): boolean {
    if (this.#turns.last === 'assistant') return true
    if (!this.#calls.settled || !this.#turns.assistant()) return false
    this.#calls.reset()
    this.#called = false
    this.#lost = false
    return true
  }

  #reasoning(item: Item): boolean {
    if (!this.#begin() || this.#called || !this.#knows(item.id)) return false
    const isFound = typeof item.id === 'string' || typeof item.encrypted_content === 'string'
    if (isFound || !this.#leads) this.#lost = !isFound
    this.#reasoned ||= isFound
    this.#leads = true
    return true
  }

  #assistantMessage(item: Item): boolean {
    if (!this.#begin() || this.#called || !this.#knows(item.id) || !this.#words(item.content)) return false
    if (item.id !== undefined && this.#misses()) return false
    this.#leads = false
    return true
  }

  #call(item: Item, custom: boolean): boolean {
    if (!this.#begin() || !this.#knows(item.id) || !isHealthyName(this.#facts, item.name)) return false
    if (item.id !== undefined && item.id !== null) {
      if (this.#misses()) return false
      if (!custom && this.#facts.itemIds === 'strict' && !(item.id as string).startsWith('fc')) return false
    }
    if (this.#facts.missingReasoning === 'refuse' && !this.#leads && !this.#called) return false
    if (!custom && !isHealthyText(this.#facts, item.arguments)) return false
    if (!this.#calls.call(item.call_id)) return false
    if (custom) this.#custom.add(item.call_id as string)
    else this.#custom.delete(item.call_id as string)
    this.#leads = false
    this.#called = true
    return true
  }

  /** Whether an item with an id would be without its reasoning here. */
  #misses(): boolean {
    const { callWithoutReasoning } = this.#facts
    return callWithoutReasoning !== 'accept' && (this.#lost || (callWithoutReasoning === 'refuse' && !this.#reasoned))
  }

  #result(item: Item, custom: boolean): boolean {
    const { output } = item
    if (typeof output !== 'string' && (!Array.isArray(output) || output.length === 0 || !hasResultForm(output)))
      return false
    if (!isHealthyResult(this.#facts, output, false)) return false
    if (this.#leads || !this.#knows(item.id) || this.#custom.has(item.call_id as string) !== custom) return false
    this.#turns.tool()
    return this.#calls.result(item.call_id)
  }

  #inputMessage(item: Item): boolean {
    if (!this.#calls.settled || this.#leads) return false
    const { role, content } = item
    if (!this.#knows(item.id) || !this.#words(content)) return false
    if (role === 'user') {
      this.#reasoned = false
      return this.#turns.user(content)
    }
    if (role === 'system' || (role === 'developer' && this.#facts.developer === 'accept')) return this.#turns.system()
    return false
  }

  #words(content: unknown): boolean {
    if (typeof content === 'string') return hasWords(content)
    if (!Array.isArray(content) || content.length === 0) return false
    for (const block of content) {
      if (typeof block !== 'object' || block === null) return false
      if (typeof block.text === 'string' && !hasWords(block.text)) return false
    }
    return true
  }
}
