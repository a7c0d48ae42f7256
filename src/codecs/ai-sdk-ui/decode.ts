import { type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { text } from '../text.ts'
import { isSettled, isToolPart, readCall, readResult } from './tool-part.ts'
import { wire } from './wire.ts'

/**
 * A message of the assistant is cut into its steps, as the SDK does before it sends it: each is one message, with one more
 * for each result in it.
 */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  for (let origin = from; origin < to; origin++) {
    const add = (role: Role, parts: readonly Part[]): void => {
      messages.push({ key: key + messages.length, origin, role, parts })
    }
    decodeMessage(history[origin], add)
  }
  return { wire, messages, continues: false }
}

type Add = (role: Role, parts: readonly Part[]) => void

function decodeMessage(raw: unknown, add: Add): void {
  const role = isRecord(raw) ? roleOf(raw.role) : 'other'
  const parts = (raw as { parts?: unknown } | undefined)?.parts
  if (role === 'other' || !Array.isArray(parts)) {
    add('other', [])
    return
  }
  let step = new Step()
  let isEmpty = true
  const close = (): void => {
    if (step.write(role, add)) isEmpty = false
    step = new Step()
  }
  for (let slot = 0; slot < parts.length; slot++) {
    const part: unknown = parts[slot]
    if (role === 'assistant' && (isStepStart(part) || isSteering(part))) close()
    if (role !== 'assistant' || !isStepStart(part)) step.read(part, slot)
  }
  close()
  if (isEmpty) add(role, [])
}

const roleOf = (role: unknown): Role => (role === 'user' || role === 'assistant' || role === 'system' ? role : 'other')

export const isStepStart = (raw: unknown): boolean => isRecord(raw) && raw.type === 'step-start'

/** What the user said while the assistant worked: it stands inside the assistant's message, and a step ends there. */
export const isSteering = (raw: unknown): boolean => isRecord(raw) && raw.type === 'steering-message'

/** Results whose part does not say that they are there are seen by nobody: they stay with the calls. */
class Step {
  readonly #parts: Part[] = []
  readonly #unseen: Part[] = []
  readonly #results: Part[] = []

  read(raw: unknown, slot: number): void {
    if (!isToolPart(raw)) {
      this.#parts.push(readContent(raw, slot))
      return
    }
    const result = readResult(raw, slot)
    this.#parts.push(readCall(raw, slot))
    if (!result) return
    const place = result.by === 'provider' ? this.#parts : isSettled(raw) ? this.#results : this.#unseen
    place.push(result)
  }

  /** False if there is nothing in it. */
  write(role: Role, add: Add): boolean {
    if (this.#parts.length === 0) return false
    add(role, [...this.#parts, ...this.#unseen])
    for (const result of this.#results) add('tool', [result])
    return true
  }
}

function readContent(raw: unknown, slot: number): Part {
  if (!isRecord(raw) || !isWhole(raw)) return { kind: 'other', unreadable: true, raw, slot }
  const words = text(raw.text)
  if (raw.type === 'text') return { kind: 'text', text: words, raw, slot }
  if (raw.type === 'reasoning') return { kind: 'reasoning', text: words, signed: true, raw, slot }
  return { kind: 'other', raw, slot }
}

/** Whether a part has what the SDK reads of it without asking. */
export function isWhole({ type, text, url, providerReference }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'text' || type === 'reasoning') return typeof text === 'string'
  if (type === 'file') return typeof url === 'string' || isRecord(providerReference)
  return typeof type === 'string'
}
