import { type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { fileOf, signerAndItemIdOf, storedFile } from '../shared/ai-sdk-packages.ts'
import { text } from '../shared/text.ts'
import { aiSdkUiFormat } from './format.ts'
import { type Invocation, isInvocation, isNextStep } from './invocation.ts'
import { isSettled, isStreaming, isToolPart, readCall, readResult } from './tool-part.ts'

/**
 * An assistant message is divided into its steps, as the SDK does before sending: each is one message, with one more for each
 * result in it. User input between two steps is a user message.
 */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  for (let origin = from; origin < to; origin++) {
    const add = (role: Role, parts: readonly Part[]): void => {
      messages.push({ key: key + messages.length, origin, role, parts })
    }
    decodeMessage(history[origin], add)
  }
  return { format: aiSdkUiFormat, messages, continues: false }
}

/** How many messages `decode` makes of a range. */
export function count(history: readonly unknown[], from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index++) {
    const raw = history[index] as { role?: unknown; parts?: unknown } | null | undefined
    if (raw?.role === 'assistant' && Array.isArray(raw.parts)) count += countSteps(raw.parts)
    else decodeMessage(raw, () => count++)
  }
  return count
}

function countSteps(parts: readonly unknown[]): number {
  let count = 0
  let inStep = 0
  let invocation: Invocation | undefined
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    const isWords = isSteering(part)
    if (isWords || isStepStart(part) || (invocation && isNextStep(invocation, part))) {
      count += inStep
      inStep = 0
      invocation = undefined
    }
    if (isStepStart(part)) continue
    if (isWords && Array.isArray(part.parts) && part.parts.length > 0) count++
    else inStep ||= 1
    if (isInvocation(part)) invocation = part
    if (isToolPart(part) && isSettled(part) && (invocation === part || part.providerExecuted !== true)) inStep++
  }
  return Math.max(count + inStep, 1)
}

type Add = (role: Role, parts: readonly Part[]) => void

function decodeMessage(raw: unknown, add: Add): void {
  const role = isRecord(raw) ? roleOf(raw.role) : 'other'
  const parts = (raw as { parts?: unknown } | undefined)?.parts
  if (role === 'other' || !Array.isArray(parts)) {
    add('other', [])
    return
  }
  let step = new Step(role)
  let isEmpty = true
  const close = (): void => {
    if (step.write(add)) isEmpty = false
    step = new Step(role)
  }
  for (let slot = 0; slot < parts.length; slot++) {
    const part: unknown = parts[slot]
    if (role !== 'assistant') {
      step.read(part, slot)
      continue
    }
    if (isStepStart(part) || isSteering(part) || step.endsBefore(part)) close()
    if (isSteering(part)) {
      const words = readSteering(part, slot)
      if (words.length > 0) add('user', words)
      else step.leave(part, slot)
      isEmpty &&= words.length === 0
    } else if (!isStepStart(part)) step.read(part, slot)
  }
  close()
  if (isEmpty) add(role, [])
}

const roleOf = (role: unknown): Role => (role === 'user' || role === 'assistant' || role === 'system' ? role : 'other')

export const isStepStart = (raw: unknown): boolean => isRecord(raw) && raw.type === 'step-start'

/** User input while the assistant worked: it is inside the assistant message, and a step ends there. */
export const isSteering = (raw: unknown): raw is Steering => isRecord(raw) && raw.type === 'steering-message'

export interface Steering {
  readonly parts?: unknown
}

/** The SDK accepts only texts and files there. Each has the place of the part that contains it. */
function readSteering({ parts }: Steering, slot: number): Part[] {
  if (!Array.isArray(parts)) return []
  return parts.map(raw =>
    isSteeringContent(raw) ? readContent(raw, slot) : { kind: 'other', unreadable: true, raw, slot },
  )
}

/** The parts that such user input may have. */
export const isSteeringContent = (raw: unknown): boolean =>
  isRecord(raw) && (raw.type === 'text' || raw.type === 'file') && isWhole(raw)

/** The SDK ignores results whose part does not state that they exist: they stay with the assistant's calls. */
class Step {
  readonly #role: Role
  readonly #parts: Part[] = []
  readonly #unseen: Part[] = []
  readonly #results: Part[] = []
  #invocation: Invocation | undefined

  constructor(role: Role) {
    this.#role = role
  }

  /** Whether a part belongs to the next step although no mark separates them. */
  endsBefore(raw: unknown): boolean {
    return this.#invocation !== undefined && isNextStep(this.#invocation, raw)
  }

  leave(raw: unknown, slot: number): void {
    this.#parts.push({ kind: 'other', unreadable: true, raw, slot })
  }

  read(raw: unknown, slot: number): void {
    const isUser = this.#role === 'user'
    if (isToolPart(raw) && isStreaming(raw)) {
      this.#parts.push({ kind: 'other', unsent: isUser ? 'aside' : 'call', raw, slot })
      return
    }
    if (!isToolPart(raw)) {
      const part = readContent(raw, slot)
      const isFile = isRecord(raw) && raw.type === 'file'
      // The SDK sends only texts and files of a user message.
      if (isUser && part.kind !== 'text' && !isFile && !('unreadable' in part))
        this.#parts.push({ kind: 'other', unsent: 'aside', raw, slot })
      else if (isUser || part.kind !== 'other' || part.unreadable || !isRecord(raw)) this.#parts.push(part)
      else this.#parts.push({ ...part, ...fileOf(raw) })
      return
    }
    if (isInvocation(raw)) this.#invocation = raw
    const result = readResult(raw, slot)
    this.#parts.push(readCall(raw, slot))
    if (!result) return
    const isSeen = isSettled(raw) || this.#role !== 'assistant'
    const place = result.by === 'provider' ? this.#parts : isSeen ? this.#results : this.#unseen
    place.push(result)
  }

  /** False if there is nothing in it. */
  write(add: Add): boolean {
    if (this.#parts.length === 0) return false
    add(this.#role, [...this.#parts, ...this.#unseen])
    for (const result of this.#results) add('tool', [result])
    return true
  }
}

function readContent(raw: unknown, slot: number): Part {
  if (!isRecord(raw) || !isWhole(raw)) return { kind: 'other', unreadable: true, raw, slot }
  if (raw.type === 'text')
    return { kind: 'text', text: text(raw.text), ...signerAndItemIdOf(raw.providerMetadata), raw, slot }
  if (/^(data|source)-/.test(text(raw.type))) return { kind: 'other', unsent: 'aside', raw, slot }
  if (raw.type !== 'reasoning') return { kind: 'other', ...storedFile(raw), raw, slot }
  const words = text(raw.text ?? raw.reasoning)
  return { kind: 'reasoning', text: words, signed: true, ...signerAndItemIdOf(raw.providerMetadata), raw, slot }
}

/** Whether a part has what the SDK reads of it without asking; thoughts and files had other names in version 4. */
export function isWhole(part: Readonly<Record<string, unknown>>): boolean {
  const { type, text, reasoning, url, data, providerReference } = part
  if (type === 'text') return typeof text === 'string'
  if (type === 'reasoning') return typeof (text ?? reasoning) === 'string'
  if (type === 'file') return typeof (url ?? data) === 'string' || isRecord(providerReference)
  return typeof type === 'string'
}
