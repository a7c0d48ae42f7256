import {
  type CallPart,
  type Conversation,
  type Fields,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { asResultBlocks } from '../../core/result-blocks.ts'
import { joined, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { trimTextEnd } from '../shared/trim-text-end.ts'
import { isMixed, isSendable } from './decode.ts'

/**
 * Writes each part of the model as a step, and the contents of one step together. A signed call whose thought is not among the steps of its answer gets one: a
 * call has no field for a signature.
 */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const steps: unknown[] = []
  const first = decoded.messages[0]?.key ?? 0
  let isSigned = false
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const parts of byStep(message.parts)) {
        const [part] = parts
        isSigned ||= isSignature(part)
        if (part.kind === 'call' && part.signature !== undefined && !isSigned) {
          steps.push({ type: 'thought', signature: part.signature })
          isSigned = true
        }
        const step = mixedStep(part, history)
        if (step) steps.push(unlessEqual(step, { ...step, content: parts.map(encodeContent) }))
        else for (const one of parts) steps.push(encodePart(one))
      }
      continue
    }
    isSigned = false
    if (message.listed) for (const part of message.parts) steps.push(encodeContent(part))
    else if (decoded.messages[message.key - first] === message) steps.push(history[message.origin as number])
    else steps.push(unlessEqual(history[message.origin ?? -1], encodeMessage(message, history)))
  }
  return steps
}

/** Adjacent parts with the slot of one step together. */
function byStep(parts: readonly Part[]): [Part, ...Part[]][] {
  const groups: [Part, ...Part[]][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (last && isContent(part) && isContent(last[0]) && part.slot === last[0].slot) last.push(part)
    else groups.push([part])
  }
  return groups
}

const isContent = ({ kind, slot }: Part): boolean => slot !== undefined && (kind === 'text' || kind === 'other')

/** The step that has a part among its contents. In edits that were stored as JSON, the part is a copy. */
function mixedStep({ slot, raw }: Part, history: readonly unknown[]): Fields | undefined {
  const step = slot === undefined ? undefined : history[slot]
  return isMixed(step) && step.content.some(content => equal(content, raw)) ? step : undefined
}

/** Whether a step carries the signature of the calls after it, or its own. */
const isSignature = (part: Part): boolean =>
  (part.kind === 'reasoning' && part.signed) ||
  (part.kind === 'call' && isRecord(part.raw) && text(part.raw.signature) !== '')

function encodePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return encodeText(part)
    case 'call':
      return encodeCall(part)
    case 'result':
      return encodeResult(part)
    case 'reasoning':
      return part.raw ?? { type: 'thought', summary: [{ type: 'text', text: part.text }] }
    case 'other':
      return isRecord(part.raw) && contentOnly(part) ? { type: 'model_output', content: [part.raw] } : part.raw
  }
}

/** Media that were converted from another format. */
const contentOnly = ({ slot }: Part): boolean => slot === undefined

function encodeText(part: TextPart): unknown {
  const { raw } = part
  if (!isRecord(raw)) return { type: 'model_output', content: [{ type: 'text', text: part.text }] }
  if (typeof raw.content === 'string') return raw.content === part.text ? raw : { ...raw, content: part.text }
  return trimTextEnd(raw, part.text)
}

function encodeCall(part: CallPart): unknown {
  const { id, name, input, raw } = part
  if (!isRecord(raw)) return { type: 'function_call', id, name, arguments: input }
  return overlay(
    raw,
    isId(raw.id, part) ? {} : { id },
    text(raw.name) === name ? {} : { name },
    equal(raw.arguments, input) ? {} : { arguments: input },
  )
}

function encodeResult(part: ResultPart): unknown {
  const { id, name, content, error, raw, malformed } = part
  const result = malformed ? content : sendable(content)
  if (!isRecord(raw)) {
    const named = name === undefined ? {} : { name }
    return { type: 'function_result', call_id: id, ...named, result, ...(error ? { is_error: true } : {}) }
  }
  return overlay(
    raw,
    isId(raw.call_id, part) ? {} : { call_id: id },
    text(raw.name) === (name ?? '') ? {} : { name },
    equal(raw.result, result) ? {} : { result },
  )
}

/** Values are written as JSON text, as the API takes no numbers and no booleans. */
const sendable = (content: unknown): unknown =>
  isSendable(content) ? content : content === undefined || content === null ? '' : asResultBlocks(content, 'text')

function encodeMessage(message: Message, history: readonly unknown[]): unknown {
  if (message.role === 'tool') return encodeResult(message.parts[0] as ResultPart)
  if (message.role === 'other')
    return message.parts[0] ? encodePart(message.parts[0]) : history[message.origin as number]
  const { origin, merged = [], parts } = message
  const sources = [...merged, ...(origin === undefined ? [] : [origin])].map(from => history[from])
  const raw = joined([{ type: 'user_input' }, ...sources.filter(isUserInput)])
  return parts.length === 0 ? raw : { ...raw, content: parts.map(encodeContent) }
}

const isUserInput = (step: unknown): boolean => isRecord(step) && step.type === 'user_input'

function encodeContent(part: Part): unknown {
  if (part.kind !== 'text') return part.raw
  if (!isRecord(part.raw)) return { type: 'text', text: part.text }
  return part.raw.text === part.text ? part.raw : { ...part.raw, text: part.text }
}
