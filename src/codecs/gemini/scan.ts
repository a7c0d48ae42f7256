import { isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, OpenCalls, Turns } from '../shared/scan.ts'

interface Called {
  readonly id?: unknown
  readonly name?: unknown
  readonly args?: unknown
  readonly response?: unknown
}

interface Raw {
  readonly text?: unknown
  readonly thought?: unknown
  readonly thoughtSignature?: unknown
  readonly thought_signature?: unknown
  readonly functionCall?: Called | null
  readonly function_call?: Called | null
  readonly functionResponse?: Called | null
  readonly function_response?: Called | null
  readonly inlineData?: unknown
  readonly inline_data?: unknown
  readonly fileData?: unknown
  readonly file_data?: unknown
  readonly executableCode?: unknown
  readonly codeExecutionResult?: unknown
}

const callsMax = 32

/** Passes plain conversations in which all calls of a step have ids, or none has. A mix is left to the full check. */
export class GeminiScan implements Scan {
  readonly #facts: Facts
  #calls: OpenCalls
  readonly #named = new NamedCalls()
  #turns: Turns

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const { role, parts } = message as { role?: unknown; parts?: unknown }
    if (!Array.isArray(parts) || parts.length === 0) return false
    if (role === 'model') return this.#isSettled && this.#turns.assistant() && this.#model(parts)
    if (role !== 'user' && (this.#facts.roleNames === 'own' || (role !== 'function' && role !== undefined)))
      return false
    return this.#user(parts)
  }

  resume(): void {
    this.#reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#isSettled && this.#turns.end()
  }

  fork(): GeminiScan | undefined {
    const turns = this.#named.settled ? this.#turns.fork() : undefined
    const calls = turns && this.#calls.fork()
    if (!turns || !calls) return undefined
    const scan = new GeminiScan(this.#facts)
    scan.#turns = turns
    scan.#calls = calls
    return scan
  }

  get #isSettled(): boolean {
    return this.#calls.settled && this.#named.settled
  }

  #reset(): void {
    this.#calls.reset()
    this.#named.reset()
  }

  #user(parts: readonly (Raw | null)[]): boolean {
    let index = 0
    for (; index < parts.length; index++) {
      const part = parts[index]
      const result = part?.functionResponse ?? part?.function_response
      if (result === undefined || result === null) break
      if (isRecord(part?.functionCall ?? part?.function_call)) return false
      if (index === 0 && this.#turns.last !== 'assistant') return false
      this.#turns.tool()
      if (!this.#settles(result)) return false
    }
    if (!this.#isSettled) return false
    if (index === parts.length) return true
    for (let rest = index; rest < parts.length; rest++) {
      if (!isPlain(parts[rest]) || parts[rest]?.thought === true) return false
    }
    return this.#turns.user(parts.length === 1 ? (parts[0]?.text ?? parts) : parts)
  }

  #settles(result: Called): boolean {
    const { id, name, response } = result
    if (typeof name !== 'string' || name === '' || !isHealthyName(this.#facts, name)) return false
    if (response !== undefined && response !== null && !isRecord(response)) return false
    return id === undefined || id === null ? this.#named.result(name) : this.#calls.result(id)
  }

  #model(parts: readonly (Raw | null)[]): boolean {
    this.#reset()
    let called = 0
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]
      const call = part?.functionCall ?? part?.function_call
      if (!part || call === undefined || call === null) {
        if (!isPlain(part)) return false
        continue
      }
      if (called++ === 0 && this.#facts.signature !== undefined && !isSigned(part)) return false
      if (!this.#isHealthyCall(call)) return false
    }
    return this.#calls.settled || this.#named.settled
  }

  #isHealthyCall(call: Called): boolean {
    const { id, name, args } = call
    if (typeof name !== 'string' || name === '' || !isHealthyName(this.#facts, name)) return false
    if (args !== undefined && args !== null && !isRecord(args)) return false
    return id === undefined || id === null ? this.#named.call(name) : this.#calls.call(id)
  }
}

/**
 * The calls of the open step that have no ids, by name: the first `#open` of `#names` are open. A step of more calls
 * than `callsMax` is left to the full check.
 */
class NamedCalls {
  readonly #names: (string | undefined)[] = new Array(callsMax).fill('')
  #open = 0

  get settled(): boolean {
    return this.#open === 0
  }

  reset(): void {
    this.#open = 0
  }

  call(name: string): boolean {
    if (this.#open === callsMax) return false
    this.#names[this.#open++] = name
    return true
  }

  result(name: string): boolean {
    for (let index = 0; index < this.#open; index++) {
      if (this.#names[index] !== name) continue
      this.#names[index] = this.#names[--this.#open]
      return true
    }
    return false
  }
}

/** Text, thoughts, a signature on its own, or media; no call and no result. */
function isPlain(part: Raw | null | undefined): boolean {
  if (!part || !isRecord(part) || isRecord(part.functionCall ?? part.function_call)) return false
  if (isRecord(part.functionResponse ?? part.function_response)) return false
  const { text } = part
  if (typeof text === 'string') return text === '' ? isSigned(part) : hasWords(text)
  return isRecord(part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data ?? codeOf(part))
}

const codeOf = (part: Raw): unknown => part.executableCode ?? part.codeExecutionResult

function isSigned(part: Raw): boolean {
  const signature = part.thoughtSignature ?? part.thought_signature
  return typeof signature === 'string' && signature !== ''
}
