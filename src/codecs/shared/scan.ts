import type { Facts } from '../../core/dialect.ts'
import { acceptsId, acceptsName, acceptsResultName } from '../../core/ids.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import { SeenIds } from './seen-ids.ts'

/** Ids that providers give to the calls they run themselves, in every format. */
export const isProviderRun = (id: string): boolean => id.charCodeAt(0) === 0x73 && id.startsWith('srvtoolu_')

/**
 * The calls of the open step: `#ids` has the first `#calls` of them, answered ones moved after the first `#open`. A step of
 * more calls than `callsMax` is left to the full check, so that a linear search is enough.
 */
export class OpenCalls {
  readonly #facts: Facts
  readonly #ids: (string | undefined)[] = new Array(callsMax).fill('')
  readonly #seen: SeenIds | undefined
  readonly #stepMax: number
  #calls = 0
  #open = 0

  constructor(facts: Facts, seen = new SeenIds()) {
    this.#facts = facts
    this.#seen = facts.uniqueIds === 'history' ? seen : undefined
    this.#stepMax = facts.parallelCalls === 'refuse' ? 1 : callsMax
  }

  get settled(): boolean {
    return this.#open === 0
  }

  /** A new step begins. */
  reset(): void {
    this.#calls = 0
    this.#open = 0
  }

  call(id: unknown): boolean {
    if (typeof id !== 'string' || id === '' || this.#calls === this.#stepMax) return false
    if (!acceptsId(this.#facts.ids, id) || isProviderRun(id)) return false
    for (let index = 0; index < this.#calls; index++) if (this.#ids[index] === id) return false
    if (this.#seen?.add(id) === false) return false
    this.#ids[this.#calls++] = id
    this.#open++
    return true
  }

  result(id: unknown): boolean {
    for (let index = 0; index < this.#open; index++) {
      const answered = this.#ids[index]
      if (answered !== id) continue
      this.#ids[index] = this.#ids[--this.#open]
      this.#ids[this.#open] = answered
      return true
    }
    return false
  }

  /** Between two steps only the ids of earlier ones matter. Undefined while calls are open. */
  fork(): OpenCalls | undefined {
    if (this.#open > 0) return undefined
    const seen = this.#seen?.fork()
    return this.#seen && !seen ? undefined : new OpenCalls(this.#facts, seen)
  }
}

const callsMax = 32

export const isHealthyName = (facts: Facts, name: unknown): boolean =>
  typeof name === 'string' && (facts.names === undefined || acceptsName(facts.names, name))

/** Whether a result may have this name. */
export const mayBeNamed = ({ names }: Facts, name: string): boolean =>
  names === undefined || acceptsResultName(names, name)

export const isHealthyText = (facts: Facts, input: unknown): boolean =>
  facts.malformedInput === 'accept' || (typeof input === 'string' && isJsonObject(input))

/** Whether a result has the content that the provider requires. */
export function isHealthyResult({ emptyResult }: Facts, content: unknown, failed: boolean): boolean {
  if (emptyResult === 'accept' || (emptyResult === 'refuse-failed' && !failed)) return true
  if (content === undefined || content === null || content === '') return false
  if (emptyResult === 'refuse-failed') return !Array.isArray(content) || content.length > 0
  if (emptyResult === 'refuse') return !Array.isArray(content) || content.some(block => block?.text !== '')
  if (!Array.isArray(content)) return typeof content !== 'string' || hasWords(content)
  for (const block of content) if (typeof block?.text === 'string' && !hasWords(block.text)) return false
  return content.length > 0 || !failed
}

/** Whether text certainly has more than white space: it does not begin with white space, or something follows. */
export const hasWords = (text: string): boolean =>
  text !== '' && (text.charCodeAt(0) > 0x20 ? !isBlankStart(text) : text.trim() !== '')

/** Unicode has more white space than ASCII. */
const isBlankStart = (text: string): boolean => text.charCodeAt(0) >= 0x80 && text.trim() === ''

/** Checks the order of roles, for all scans: an object remembers the role of the last message. */
export class Turns {
  readonly #facts: Facts
  #last: 'none' | 'system' | 'user' | 'assistant' | 'tool' = 'none'
  #users = 0
  #userContent: unknown

  constructor(facts: Facts) {
    this.#facts = facts
  }

  get last(): string {
    return this.#last
  }

  user(content: unknown): boolean {
    const { consecutiveUsers, userAfterResult } = this.#facts
    if (this.#last === 'user') {
      if (consecutiveUsers === 'refuse') return false
      if (typeof content !== 'string' || typeof this.#userContent !== 'string' || content === this.#userContent)
        return false
    } else if (this.#last === 'tool' && userAfterResult === 'refuse') return false
    this.#last = 'user'
    this.#userContent = content
    this.#users++
    return true
  }

  assistant(): boolean {
    const { consecutiveAssistants, firstAssistant } = this.#facts
    if (this.#last === 'assistant' && consecutiveAssistants !== 'accept') return false
    if (this.#users === 0 && firstAssistant !== 'accept') return false
    this.#last = 'assistant'
    return true
  }

  system(): boolean {
    const { system, systems } = this.#facts
    const isFirst = system === 'first' || system === 'after-user'
    if (this.#last === 'system' ? systems === 'one' : this.#last !== 'none' && isFirst) return false
    if (system === 'not-after-assistant' && (this.#last === 'assistant' || this.#last === 'tool')) return false
    this.#last = 'system'
    return true
  }

  tool(): void {
    this.#last = 'tool'
  }

  /** The assistant has spoken last, and the user before. */
  resume(): void {
    this.#last = 'assistant'
    this.#users = 1
  }

  /** Undefined after a user message, whose content the next one is compared with. */
  fork(): Turns | undefined {
    if (this.#last === 'user') return undefined
    const turns = new Turns(this.#facts)
    turns.#last = this.#last
    turns.#users = this.#users
    return turns
  }

  end(): boolean {
    if (
      this.#last === 'assistant' &&
      (this.#facts.lastAssistant === 'refuse' || this.#facts.trailingSpace === 'refuse')
    )
      return false
    return this.#last === 'none' || this.#users > 0 || this.#facts.noUser === 'accept'
  }
}

/** The items of a history that an SDK sends by their ids alone. */
export class ItemIds {
  readonly #steps = new Map<string, number>()
  #step = 0

  nextStep(): void {
    this.#step++
  }

  /** False if an earlier step had the item already. An SDK sends the item of several parts of one step once. */
  add(id: unknown): boolean {
    if (typeof id !== 'string') return true
    const known = this.#steps.get(id)
    if (known === undefined) this.#steps.set(id, this.#step)
    return known === undefined || known === this.#step
  }

  /** The same for a call that the provider ran itself, which an SDK sends as often as it occurs. */
  addRun(id: unknown): boolean {
    const size = this.#steps.size
    return this.add(id) && this.#steps.size > size
  }
}
