import { type CallPart, isRecord, type Message, type ResultPart, resultText } from '../../core/conversation.ts'
import { applyEdits } from '../../core/edit.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { Drawing } from '../system.ts'

/** What was said and done in a session of any program, in a form that does not depend on the program: every call with its result. */
export interface Session {
  /** The name of its program, as in `--system`. */
  readonly system: string
  readonly id: string
  readonly title?: string
  /** Where it is stored. */
  readonly path: string
  readonly messages: readonly SessionMessage[]
  /** The repairs that were applied to the messages; the store is not changed. */
  readonly repairs: readonly Repair[]
  /** What could not be repaired. */
  readonly remaining: readonly Diagnostic[]
}

export interface SessionMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly SessionPart[]
  /** The index of its record in the drawing; absent if it was made up. */
  readonly record?: number
}

export type SessionPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | SessionCall
  /** An image, a file, or a record that cannot be read: as it is stored. */
  | { readonly kind: 'other'; readonly raw: unknown }

export interface SessionCall {
  readonly kind: 'call'
  /** Unique in the session. */
  readonly id: string
  readonly name: string
  /** A JSON value, or the text that the model wrote if that is not JSON. */
  readonly input: unknown
  /** Absent if the call still waits, for example for an approval. */
  result?: SessionResult
}

export interface SessionResult {
  readonly text: string
  readonly isError: boolean
  /** Images and files in it, as they are stored. */
  readonly others: readonly unknown[]
  /** The index of its record in the drawing; absent if it was made up. */
  readonly record?: number
}

/** The messages of a drawn conversation after its repairs. */
export function sessionMessages({ messages, repairs, summary }: Drawing): SessionMessage[] {
  const reader = new SessionReader()
  if (summary !== undefined) {
    const text = `Summary of what was said before:\n\n${summary}`
    reader.messages.push({ role: 'user', parts: [{ kind: 'text', text }] })
  }
  for (const message of applyEdits(
    messages,
    repairs.flatMap(({ edits }) => edits),
  ))
    reader.add(message)
  return reader.messages
}

class SessionReader {
  readonly messages: SessionMessage[] = []
  /** Calls by stored id, oldest first, and how many of them already have a result. */
  readonly #calls = new Map<string, { readonly calls: SessionCall[]; answered: number }>()
  readonly #ids = new Set<string>()
  #made = 0

  add({ role, parts, origin }: Message): void {
    const found: SessionPart[] = []
    for (const part of parts) {
      if (part.kind === 'text' || part.kind === 'reasoning') {
        if (part.text.trim() !== '') found.push({ kind: part.kind, text: part.text })
      } else if (part.kind === 'call') found.push(this.#call(part))
      else if (part.kind === 'other') found.push({ kind: 'other', raw: part.raw })
      else if (!this.#answer(part)) found.push(this.#unpaired(part))
    }
    if (found.length === 0) return
    const isCaller = role === 'assistant' || found.some(({ kind }) => kind === 'call')
    this.messages.push({
      role: isCaller ? 'assistant' : role === 'system' ? role : 'user',
      parts: found,
      ...(origin === undefined ? {} : { record: origin }),
    })
  }

  /** A result without a call gets one, since the text of a tool must not become text of the user. */
  #unpaired(part: ResultPart): SessionCall {
    return { kind: 'call', id: this.#uniqueId(part.id), name: 'unknown_tool', input: {}, result: resultOf(part) }
  }

  #call({ id, name, input }: CallPart): SessionCall {
    const call: SessionCall = { kind: 'call', id: this.#uniqueId(id), name, input: parsed(input) }
    const same = this.#calls.get(id)
    if (same) same.calls.push(call)
    else this.#calls.set(id, { calls: [call], answered: 0 })
    return call
  }

  #answer(part: ResultPart): boolean {
    const same = this.#calls.get(part.id)
    const call = same?.calls[same.answered]
    if (!same || !call) return false
    same.answered++
    call.result = resultOf(part)
    return true
  }

  /** Ids can repeat (some programs number the calls of each turn) or be empty. */
  #uniqueId(id: string): string {
    let unique = id
    while (unique === '' || this.#ids.has(unique)) unique = `call_${++this.#made}`
    this.#ids.add(unique)
    return unique
  }
}

function resultOf(part: ResultPart): SessionResult {
  const { content } = part
  const text = resultText(part)
  const others = Array.isArray(content) ? content.filter(block => !hasText(block)) : []
  const isUnread = text === '' && !Array.isArray(content) && typeof content !== 'string' && !isEmpty(content)
  return {
    text: isUnread ? JSON.stringify(content) : text,
    isError: part.error === true,
    others,
    ...(part.slot === undefined ? {} : { record: part.slot }),
  }
}

const hasText = (block: unknown): boolean =>
  isRecord(block) && [block.text, block.stdout, block.stderr].some(text => typeof text === 'string')

const isEmpty = (content: unknown): boolean =>
  content === undefined || content === null || (typeof content === 'object' && Object.keys(content).length === 0)

/** Text that is nested too deeply stays text, because it could not be written again. */
function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  try {
    const value: unknown = JSON.parse(input)
    return isTooDeep(value) ? input : value
  } catch {
    return input
  }
}
