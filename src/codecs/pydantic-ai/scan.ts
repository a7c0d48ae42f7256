import { isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import type { Scan } from '../codec.ts'
import { hasWords, isHealthyName, isHealthyResult, mayBeNamed, OpenCalls, Turns } from '../shared/scan.ts'
import { requestKind } from './decode.ts'

type Raw = Readonly<Record<string, unknown>>

/** Passes prompts, texts, thinking before them, and calls with their results; what the provider ran is looked at in full. */
export class PydanticAiScan implements Scan {
  readonly #facts: Facts
  readonly #calls: OpenCalls
  readonly #turns: Turns

  constructor(facts: Facts) {
    this.#facts = facts
    this.#calls = new OpenCalls(facts)
    this.#turns = new Turns(facts)
  }

  push(message: unknown): boolean {
    if (!isRecord(message) || !Array.isArray(message.parts) || message.parts.length === 0) return false
    if (message.kind === 'request') return this.#request(message.parts)
    if (message.kind !== 'response' || !this.#calls.settled || !this.#turns.assistant()) return false
    return this.#response(message.parts)
  }

  resume(): void {
    this.#calls.reset()
    this.#turns.resume()
  }

  end(): boolean {
    return this.#calls.settled && this.#turns.end()
  }

  #request(parts: readonly unknown[]): boolean {
    let last: string | undefined
    for (const part of parts) {
      if (!isRecord(part)) return false
      const kind = requestKind(part)
      if (kind === 'result' ? !this.#settles(part) : !this.#calls.settled) return false
      if (kind === 'system' && !(isText(part.content) && this.#turns.system())) return false
      if (kind === 'user' && !(isPrompt(part) && (last === 'user' || this.#turns.user(part.content)))) return false
      last = kind
    }
    return true
  }

  #settles({ tool_call_id: id, tool_name: name, content, outcome, part_kind: kind }: Raw): boolean {
    if (this.#turns.last !== 'assistant' && this.#turns.last !== 'tool') return false
    if (typeof name !== 'string' || name === '' || !mayBeNamed(this.#facts, name)) return false
    const hasFailed = kind === 'retry-prompt' || (outcome !== undefined && outcome !== 'success')
    if (!isHealthyResult(this.#facts, content, hasFailed)) return false
    this.#turns.tool()
    return this.#calls.result(id)
  }

  #response(parts: readonly unknown[]): boolean {
    this.#calls.reset()
    let last: unknown
    for (const part of parts) {
      if (!isRecord(part)) return false
      const { part_kind: kind } = part
      if (kind === 'tool-call') {
        if (!isHealthyName(this.#facts, part.tool_name) || !isInput(part.args)) return false
        if (!this.#calls.call(part.tool_call_id)) return false
      } else if (last === 'tool-call') return false
      else if (kind === 'text') {
        if (!isText(part.content)) return false
      } else if (kind !== 'thinking' || last === 'text') return false
      last = kind
    }
    return last === 'tool-call' || last === 'text'
  }
}

const isText = (content: unknown): boolean => typeof content === 'string' && hasWords(content)

function isPrompt({ part_kind: kind, content }: Raw): boolean {
  if (kind !== 'user-prompt') return false
  if (!Array.isArray(content)) return isText(content)
  if (content.length === 0) return false
  for (const item of content) {
    if (typeof item === 'string' ? !hasWords(item) : !isRecord(item) || !media.has(item.kind)) return false
  }
  return true
}

const media = new Set<unknown>(['image-url', 'audio-url', 'video-url', 'document-url', 'binary'])

/** Arguments are an object, its JSON text, or missing. */
const isInput = (args: unknown): boolean =>
  args === undefined ||
  args === null ||
  args === '' ||
  isRecord(args) ||
  (typeof args === 'string' && isJsonObject(args))
