import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { acceptsId } from '../../core/ids.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, isHealthyResult, isProviderRun, mayBeNamed, Turns } from '../shared/scan.ts'
import { areTyped, isIndexed } from './field-types.ts'

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
  readonly thinking?: unknown
  readonly images?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly tool_name?: unknown
  readonly name?: unknown
}

/** Passes conversations whose results name their tool or their call, or are as many as the calls of their step. */
export class OllamaScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenStep
  readonly #turns: Turns
  readonly #wordless: boolean
  readonly #empty: boolean

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenStep(facts)
    this.#turns = new Turns(facts)
    this.#wordless = facts.emptyMessage !== 'refuse-blank' && facts.blankText !== 'refuse-blank'
    this.#empty = facts.emptyMessage === 'accept' || facts.emptyMessage === 'refuse-null'
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const raw = message as Raw
    const { role, content } = raw
    if (!areTyped(message as Fields)) return false
    if (role !== 'assistant' && raw.tool_calls !== undefined && raw.tool_calls !== null) return false
    if (role === 'tool') return this.#tool(raw)
    if (!this.#calls.settled) return false
    if (role === 'assistant') return this.#assistant(raw)
    if (role === 'user') return this.#content(content) && this.#turns.user(content)
    if (role === 'system' || (role === 'developer' && this.#facts.developer === 'accept'))
      return this.#content(content) && this.#turns.system()
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
    const { content, tool_name: tool, name: other } = raw
    const name = tool === undefined || tool === '' ? other : tool
    if (name !== undefined && (typeof name !== 'string' || !mayBeNamed(this.#facts, name))) return false
    if (this.#turns.last !== 'tool' && this.#turns.last !== 'assistant') return false
    if (typeof content !== 'string' || !isHealthyResult(this.#facts, content, false)) return false
    this.#turns.tool()
    return this.#calls.result(raw.tool_call_id, name ?? '')
  }

  #assistant({ content, thinking, tool_calls: calls }: Raw): boolean {
    if (calls === undefined || calls === null) return this.#content(content) && this.#turns.assistant()
    if (!Array.isArray(calls) || calls.length === 0) return false
    if (this.#facts.missingReasoning === 'refuse' && typeof thinking !== 'string') return false
    if (!this.#contentBesideCalls(content) || !this.#turns.assistant()) return false
    this.#calls.reset()
    for (let index = 0; index < calls.length; index++) if (!this.#isHealthyCall(calls[index])) return false
    return true
  }

  #isHealthyCall(call: unknown): boolean {
    if (!isRecord(call) || !isRecord(call.function) || call.custom !== undefined) return false
    const { name, arguments: input } = call.function
    if (typeof name !== 'string' || !isHealthyName(this.#facts, name)) return false
    if (input !== undefined && input !== null && !isRecord(input)) return false
    if (!isIndexed(call.function)) return false
    return this.#calls.call(call.id, name)
  }

  #contentBesideCalls(content: unknown): boolean {
    const wanted = this.#facts.contentBesideCalls
    if (content === null) return wanted !== 'text'
    if (content === undefined) return wanted === 'any' || wanted === 'nothing-or-words'
    if (content === '') return wanted !== 'nothing-or-words'
    return typeof content === 'string' && (this.#wordless || hasWords(content))
  }

  #content(content: unknown): boolean {
    if (typeof content !== 'string') return false
    return content === '' ? this.#empty : this.#wordless || hasWords(content)
  }
}

const callsMax = 32

/**
 * The calls of the open step: the first `#open` of both lists are not answered yet, in their order. The results of a step
 * all name their call or tool, or none does. A step of more calls than `callsMax` is left to the full check.
 */
class OpenStep {
  readonly #facts: Facts
  readonly #stepMax: number
  readonly #ids: string[] = new Array(callsMax).fill('')
  readonly #names: string[] = new Array(callsMax).fill('')
  readonly #seen = new Set<string>()
  #open = 0
  /** How the results of the step name their calls. */
  #pairedBy: 'name' | 'position' | undefined

  constructor(facts: Facts) {
    this.#facts = facts
    this.#stepMax = facts.parallelCalls === 'refuse' ? 1 : callsMax
  }

  get settled(): boolean {
    return this.#open === 0
  }

  /** A new step begins. */
  reset(): void {
    this.#open = 0
    this.#pairedBy = undefined
  }

  call(id: unknown, name: string): boolean {
    if (this.#open === this.#stepMax) return false
    if (id === undefined || id === null) this.#ids[this.#open] = ''
    else if (typeof id !== 'string' || id === '' || !this.#isNew(id)) return false
    else this.#ids[this.#open] = id
    this.#names[this.#open++] = name
    return true
  }

  result(id: unknown, name: string): boolean {
    if (id !== undefined && id !== null) {
      if (typeof id !== 'string' || id === '') return false
      const index = this.#indexOf(this.#ids, id)
      return index >= 0 && (name === '' || name === this.#names[index]) && this.#pairBy('name') && this.#remove(index)
    }
    if (name === '') return this.#open > 0 && this.#pairBy('position') && this.#remove(0)
    const index = this.#indexOf(this.#names, name)
    return index >= 0 && this.#pairBy('name') && this.#remove(index)
  }

  /** Ids that come again, in this step or before, are looked at in full. */
  #isNew(id: string): boolean {
    if (!acceptsId(this.#facts.ids, id) || isProviderRun(id) || this.#seen.has(id)) return false
    this.#seen.add(id)
    return true
  }

  /** Whether the earlier results of the step name their calls in the same way. */
  #pairBy(way: 'name' | 'position'): boolean {
    this.#pairedBy ??= way
    return this.#pairedBy === way
  }

  #indexOf(list: readonly string[], wanted: string): number {
    for (let index = 0; index < this.#open; index++) if (list[index] === wanted) return index
    return -1
  }

  #remove(index: number): true {
    this.#open--
    for (let at = index; at < this.#open; at++) {
      this.#ids[at] = this.#ids[at + 1] as string
      this.#names[at] = this.#names[at + 1] as string
    }
    return true
  }
}
