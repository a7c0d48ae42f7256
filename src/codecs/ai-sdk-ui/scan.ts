import type { Facts } from '../../core/dialect.ts'
import type { Scan } from '../codec.ts'
import { itemIdOf, storedFile } from '../shared/ai-sdk-packages.ts'
import { hasWords, ItemIds, isHealthyName, isHealthyResult, OpenCalls, Turns } from '../shared/scan.ts'
import { isSteeringContent, isWhole } from './decode.ts'
import { deniedText, inputOf, isOwn, nameOf, reasonOf, type ToolPart } from './tool-part.ts'

type Part = Readonly<Record<string, unknown>>

/** Passes conversations whose calls are all answered; whatever still waits is left to the full check. */
export class UiScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns
  readonly #wordless: boolean
  readonly #items: ItemIds | undefined
  /** A step that ends with reasoning is left to the full check. */
  readonly #isSuspect: boolean
  /** What only a client shows is not sent, and a request needs something that is. */
  #isSilent: boolean
  /** Of the assistant message: its closed steps, the parts of its open step, and whether that has calls or ends with reasoning. */
  #steps = 0
  #stepParts = 0
  #hasCalled = false
  #isThinking = false

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
    this.#items = facts.repeatedItem === 'refuse' ? new ItemIds() : undefined
    this.#isSilent = facts.emptyMessage !== 'accept'
    this.#isSuspect =
      facts.trailingThinking === 'refuse' || facts.loneReasoning === 'refuse' || facts.unsignedParts !== undefined
    this.#wordless = facts.emptyMessage === 'accept' && facts.blankText === 'accept'
  }

  push(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false
    const { role, parts } = message as { role?: unknown; parts?: unknown }
    if (!Array.isArray(parts) || parts.length === 0) return false
    if (role === 'assistant') return this.#assistant(parts)
    let isSent = this.#facts.roleOnlyUser === undefined
    for (let index = 0; index < parts.length; index++) {
      if (!this.#isContent(parts[index])) return false
      isSent ||= parts[index].type === 'text' || parts[index].type === 'file'
    }
    if (role === 'system') return this.#turns.system()
    if (!isSent) return false
    return role === 'user' && this.#turns.user(parts.length === 1 ? (parts[0].text ?? parts) : parts)
  }

  resume(): void {
    this.#isSilent = false
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return !this.#isSilent && this.#turns.end()
  }

  #isContent(part: Part | null | undefined): boolean {
    if (typeof part?.type !== 'string' || !isWhole(part)) return false
    if (part.type === 'file' && this.#facts.fileStores && storedFile(part).stored) return false
    this.#isSilent &&= isAside(part.type) && part.type !== 'file'
    return part.type === 'text' ? this.#wordless || hasWords(part.text as string) : isAside(part.type)
  }

  #assistant(parts: readonly unknown[]): boolean {
    this.#steps = 0
    this.#stepParts = 0
    this.#isThinking = false
    for (let index = 0; index <= parts.length; index++) {
      const part = parts[index] as Part | null | undefined
      const type = part?.type
      const isSteering = type === 'steering-message'
      if (index === parts.length || type === 'step-start' || isSteering) {
        if (!this.#endStep()) return false
        if (!isSteering) continue
        if (!this.#user(part?.parts)) return false
        this.#steps++
      } else if (!this.#part(part)) return false
    }
    return this.#steps > 0
  }

  #endStep(): boolean {
    if (this.#stepParts === 0) return true
    if (this.#isThinking && this.#isSuspect) return false
    if (this.#hasCalled) this.#turns.tool()
    this.#steps++
    this.#stepParts = 0
    return true
  }

  /** A part of a step. */
  #part(part: Part | null | undefined): boolean {
    const type = part?.type
    if (typeof type !== 'string') return false
    if (this.#stepParts++ === 0) {
      if (!this.#turns.assistant()) return false
      this.#calls.reset()
      this.#items?.nextStep()
      this.#hasCalled = false
    }
    if (this.#items?.add(itemIdOf(part?.providerMetadata)) === false) return false
    this.#isThinking = type === 'reasoning' || (this.#isThinking && isAside(type))
    const { thinkingAfterCall, textAfterCall, files } = this.#facts
    if (type === 'reasoning') {
      if (typeof part?.text !== 'string' || (this.#hasCalled && thinkingAfterCall === 'refuse')) return false
      return true
    }
    if (type === 'dynamic-tool' || type.startsWith('tool-')) return this.#call(part as ToolPart)
    if (type === 'text' && this.#hasCalled && textAfterCall !== 'accept') return false
    if (type === 'file' && files && files !== 'skipped') return false
    return this.#isContent(part)
  }

  #call(part: ToolPart): boolean {
    if (!this.#isAnswered(part)) return false
    if (part.providerExecuted === true && this.#items?.addRun(part.toolCallId) === false) return false
    this.#isSilent = false
    this.#hasCalled ||= part.providerExecuted !== true
    return true
  }

  /** A steering message of the user. */
  #user(parts: unknown): boolean {
    if (!Array.isArray(parts) || parts.length === 0) return false
    for (let index = 0; index < parts.length; index++) {
      if (!isSteeringContent(parts[index]) || !this.#isContent(parts[index])) return false
    }
    return this.#turns.user(parts.length === 1 ? (parts[0].text ?? parts) : parts)
  }

  #isAnswered(part: ToolPart): boolean {
    const { state, output, errorText, approval, toolCallId } = part
    const failed = state === 'output-error' || state === 'output-denied'
    if ((!failed && state !== 'output-available') || part.toolInvocation !== undefined) return false
    const facts = this.#facts
    if (part.providerExecuted === true) return isOwn(part, facts.hosts)
    const input = inputOf(part)
    if (facts.malformedInput === 'refuse' && (typeof input !== 'object' || input === null || Array.isArray(input)))
      return false
    if (facts.names !== undefined && !isHealthyName(facts, nameOf(part))) return false
    const content = !failed ? output : state === 'output-error' ? errorText : (reasonOf(approval) ?? deniedText)
    if (content === undefined || content === null) {
      if (failed && (facts.emptyMessage !== 'accept' || facts.emptyResult !== 'accept')) return false
    } else if (!isHealthyResult(facts, content, failed)) return false
    return this.#calls.call(toolCallId)
  }
}

/** Content that no rule needs to understand. */
const isAside = (type: string): boolean => type === 'file' || type.startsWith('source-') || type.startsWith('data-')
