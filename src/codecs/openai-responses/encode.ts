import {
  asRecord,
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { joined, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { trimTextEnd } from '../shared/trim-text-end.ts'
import { byCallKind, type CallKind } from './call-kinds.ts'
import { isMisshapen } from './decode.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const items: unknown[] = []
  const first = decoded.messages[0]?.key ?? 0
  for (const message of messages) {
    if (message.role === 'assistant') for (const part of message.parts) items.push(encodePart(part))
    else if (decoded.messages[message.key - first] === message) items.push(history[message.origin as number])
    else items.push(unlessEqual(history[message.origin ?? -1], encodeMessage(message, history)))
  }
  return items
}

type Raw = Record<string, unknown>

function encodePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return encodeText(part)
    case 'call':
      return encodeCall(part)
    case 'result':
      return encodeResult(part)
    case 'reasoning':
      return isRecord(part.raw)
        ? withId(part.raw, part)
        : { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: part.text }] }
    case 'other':
      return isRecord(part.raw) ? withId(part.raw, part) : part.raw
  }
}

function encodeText(part: TextPart): unknown {
  if (!isRecord(part.raw)) {
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text, annotations: [] }] }
  }
  const raw = withId(part.raw, part)
  if (typeof raw.content === 'string') return raw.content === part.text ? raw : { ...raw, content: part.text }
  return trimTextEnd(raw, part.text)
}

/** The item, without its id where a rule took that away. */
function withId(raw: Raw, { itemId }: { readonly itemId?: string }): Raw {
  if (itemId === raw.id || (itemId === undefined && typeof raw.id !== 'string')) return raw
  const { id: _, ...rest } = raw
  return rest
}

function encodeCall(part: CallPart): unknown {
  const { id, name, input } = part
  const kind = byCallKind.get(part.callKind) as CallKind
  if (!isRecord(part.raw)) {
    const fields = part.callKind === 'function' ? { arguments: input } : {}
    return { type: kind.callType, call_id: id, ...kind.call(name), ...fields }
  }
  const raw = withId(part.raw, part)
  const named = !kind.named || text(raw.name) === name ? {} : { name }
  return overlay(
    raw,
    isId(raw.call_id, part) ? {} : { call_id: id },
    named,
    equal(raw[kind.input], input) ? {} : { [kind.input]: input },
  )
}

function encodeResult(part: ResultPart): unknown {
  const { id, content } = part
  const kind = byCallKind.get(part.callKind)
  if (!kind) return isId(asRecord(part.raw).tool_call_id, part) ? part.raw : { ...asRecord(part.raw), tool_call_id: id }
  if (!isRecord(part.raw)) {
    if (content !== undefined && typeof content !== 'string')
      return { type: kind.resultType, call_id: id, [kind.output]: content }
    return { type: kind.resultType, call_id: id, ...kind.result(text(content), part.error === true) }
  }
  const raw = withId(part.raw, part)
  const output = isMisshapen(part) && !part.malformed ? kind.result(text(content), false)[kind.output] : content
  return overlay(
    raw,
    isId(raw.call_id, part) ? {} : { call_id: id },
    equal(raw[kind.output], output) ? {} : { [kind.output]: output },
  )
}

function encodeMessage(message: Message, history: readonly unknown[]): unknown {
  if (message.role === 'tool') return encodeResult(message.parts[0] as ResultPart)
  if (message.role === 'other')
    return message.parts[0] ? encodePart(message.parts[0]) : history[message.origin as number]
  const { origin, merged = [] } = message
  const own = origin === undefined ? { type: 'message' } : history[origin]
  const others = merged.map(from => history[from])
  const raw = joined(origin === undefined ? [own, ...others] : [...others, own])
  const role = message.role === 'system' && message.developer ? 'developer' : message.role
  return { ...withId(raw, message), role, content: encodeContent(message, raw.content) }
}

function encodeContent({ parts, origin }: Message, before: unknown): unknown {
  if (parts.length === 0) return before ?? null
  const plain = parts.every(part => part.kind === 'text' && part.raw === undefined)
  if (plain && origin !== undefined) return parts.map(part => (part as TextPart).text).join('\n\n')
  return parts.map(part =>
    part.kind === 'text' && !isRecord(part.raw) ? { type: 'input_text', text: part.text } : encodeBlock(part),
  )
}

function encodeBlock(part: Part): unknown {
  if (part.kind !== 'text' || !isRecord(part.raw) || part.raw.text === part.text) return part.raw
  return { ...part.raw, text: part.text }
}
