import {
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type OtherPart,
  type Part,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { withoutItemId } from '../shared/ai-sdk-packages.ts'
import { isUntouched, type MessageGroup } from '../shared/message-groups.ts'
import { fieldsAround, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { inputKey, inputOf, isOutput, outputKey, outputOf, writeOutput } from './input-output.ts'
import { toolMessages } from './tool-messages.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const calls = new Calls()
  const encoded: unknown[] = []
  for (const group of wireMessages(messages)) {
    for (const message of group) calls.read(message)
    if (isUntouched(group, decoded) && !group.some(message => calls.renames(message)))
      encoded.push(history[group[0].origin as number])
    else {
      const origin = group.find(message => message.origin !== undefined)?.origin ?? -1
      encoded.push(unlessEqual(history[origin], encodeGroup(group, history, calls)))
    }
  }
  return encoded
}

/** The messages, grouped by the message of the format that they are written in. */
function wireMessages(messages: readonly Message[]): MessageGroup[] {
  const groups: MessageGroup[] = []
  let run: Message[] = []
  const endRun = (): void => {
    for (const group of toolMessages(run)) groups.push(group)
    run = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      run.push(message)
      continue
    }
    endRun()
    groups.push([message])
  }
  endRun()
  return groups
}

/** The calls up to a message, for the results, requests and answers that refer to them. */
class Calls {
  readonly #byId = new Map<string, CallPart>()
  readonly #byRequest = new Map<string, CallPart>()
  readonly #denials = new Map<CallPart, string>()

  read({ role, parts }: Message): void {
    if (role === 'user' || role === 'system') this.#byRequest.clear()
    for (const part of parts) {
      if (part.kind === 'call') {
        this.#byId.set(part.id, part)
        for (const request of part.requests ?? []) this.#byRequest.set(request, part)
      } else if (part.kind === 'other' && part.approval?.kind === 'answer' && isRecord(part.raw)) {
        const call = this.#byRequest.get(part.approval.id)
        if (call && typeof part.raw.reason === 'string') this.#denials.set(call, part.raw.reason)
      }
    }
  }

  /** Whether a message asks for a call that has another id now. */
  renames({ parts }: Message): boolean {
    return parts.some(part => {
      if (part.kind !== 'other' || part.approval?.kind !== 'request' || !isRecord(part.raw)) return false
      const call = this.#byRequest.get(part.approval.id)
      return call !== undefined && call.id !== part.raw.toolCallId
    })
  }

  /** The call of this turn that a request is for. */
  requested(request: string): CallPart | undefined {
    return this.#byRequest.get(request)
  }

  /** The reason a person gave for denying the call of an id. */
  denial(id: string): string | undefined {
    const call = this.#byId.get(id)
    return call && this.#denials.get(call)
  }

  /** Whether the call of an id has the fields of version 4. */
  isOld(id: string): boolean {
    const raw = this.#byId.get(id)?.raw
    return isRecord(raw) && inputKey(raw) === 'args'
  }
}

function encodeGroup(group: Readonly<MessageGroup>, history: readonly unknown[], calls: Calls): unknown {
  const { role, origin } = group[0]
  if (role === 'other') return history[origin as number]
  const raw = fieldsAround(group, history)
  const parts = group.flatMap(message => message.parts)
  return { ...raw, role, content: encodeContent(parts, group[0], raw.content, calls) }
}

function encodeContent(parts: readonly Part[], { role, merged }: Message, before: unknown, calls: Calls): unknown {
  if (parts.length === 0) return Array.isArray(before) ? [] : ''
  const isText = parts.every((part): part is TextPart => part.kind === 'text')
  const isPlain = parts.length === 1 && parts[0]?.raw === undefined
  if (isText && (isPlain || (role === 'system' && (merged || parts.some(part => part.raw === undefined)))))
    return parts.map(part => part.text).join('\n\n')
  return parts.map(part => encodePart(part, calls))
}

function encodePart(part: Part, calls: Calls): unknown {
  switch (part.kind) {
    case 'text':
      if (!isRecord(part.raw)) return { type: 'text', text: part.text }
      return overlay(
        part.raw,
        part.raw.text === part.text ? {} : { text: part.text },
        withoutItemId(part, 'providerOptions'),
      )
    case 'call':
      return encodeCall(part)
    case 'result':
      return encodeResult(part, calls)
    case 'reasoning':
      if (!isRecord(part.raw)) return { type: 'reasoning', text: part.text }
      return overlay(part.raw, withoutItemId(part, 'providerOptions'))
    case 'other':
      return encodeOther(part, calls)
  }
}

function encodeCall(part: CallPart): unknown {
  const { id, name, input, raw, by } = part
  if (!isRecord(raw)) return { type: 'tool-call', toolCallId: id, toolName: name, input }
  if (by === 'provider') return raw
  return overlay(
    raw,
    isId(raw.toolCallId, part) ? {} : { toolCallId: id },
    text(raw.toolName) === name ? {} : { toolName: name },
    equal(inputOf(raw), input) ? {} : { [inputKey(raw)]: input },
  )
}

/** Made-up results use the keys of their call, and a denial has the reason that the person gave. */
function encodeResult(part: ResultPart, calls: Calls): unknown {
  const { id, name = '', error, raw, by, malformed } = part
  const content = (isPlaceholder(part) && calls.denial(id)) || part.content
  const isOld = isRecord(raw) && ('output' in raw || 'result' in raw) ? outputKey(raw) === 'result' : calls.isOld(id)
  const resultFields = isOld
    ? { result: content ?? null, ...(error ? { isError: true } : {}) }
    : { output: writeOutput({ ...part, content }) }
  if (!isRecord(raw)) return { type: 'tool-result', toolCallId: id, toolName: name, ...resultFields }
  if (by === 'provider') return raw
  const isSame = equal(outputOf(raw), content) && (malformed || (isOld ? 'result' in raw : isOutput(content)))
  return overlay(
    raw,
    isId(raw.toolCallId, part) ? {} : { toolCallId: id },
    text(raw.toolName) === name ? {} : { toolName: name },
    isSame ? {} : resultFields,
  )
}

const isPlaceholder = ({ denied, raw, content }: ResultPart): boolean =>
  denied === true && raw === undefined && typeof content === 'string'

/** A request follows its call when that is renamed. */
function encodeOther({ raw, approval }: OtherPart, calls: Calls): unknown {
  if (approval?.kind !== 'request' || !isRecord(raw)) return raw
  const call = calls.requested(approval.id)
  return !call || isId(raw.toolCallId, call) ? raw : { ...raw, toolCallId: call.id }
}
