import {
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/equal.ts'
import { sharesWith } from '../../core/sharing.ts'
import { overlay, unlessEqual } from '../overlay.ts'
import { isId, text } from '../text.ts'

/** Neighbours that share a wire message are written together, and as they were if nothing in it was touched. */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const encoded: unknown[] = []
  for (let start = 0; start < messages.length; ) {
    let end = start + 1
    while (end < messages.length && sharesWith(messages[end - 1], messages[end])) end++
    const group = messages.slice(start, end)
    const before = history[group[0].origin ?? -1]
    encoded.push(isUntouched(group, decoded) ? before : unlessEqual(before, encodeGroup(group, history)))
    start = end
  }
  return encoded
}

function isUntouched(group: readonly Message[], { messages }: Conversation): boolean {
  const { key, origin } = group[0]
  const index = key - messages[0].key
  if (
    origin === undefined ||
    messages[index - 1]?.origin === origin ||
    messages[index + group.length]?.origin === origin
  )
    return false
  return group.every((message, offset) => message === messages[index + offset] && message.origin === origin)
}

type Raw = Record<string, unknown>

function encodeGroup(group: readonly Message[], history: readonly unknown[]): unknown {
  const role = group.some(message => message.role === 'system') ? 'system' : group[0].role
  if (role === 'other') return history[group[0].origin as number]
  let raw: Raw = {}
  for (const { merged = [], origin } of group.toReversed()) {
    for (const from of merged) raw = { ...record(history[from]), ...raw }
    if (origin !== undefined) raw = { ...raw, ...record(history[origin]) }
  }
  const parts = group.flatMap(message => message.parts)
  return { ...raw, role: role === 'tool' ? 'user' : role, content: encodeContent(parts, raw.content) }
}

const record = (value: unknown): Raw => (isRecord(value) ? value : {})

function encodeContent(parts: readonly Part[], before: unknown): unknown {
  if (parts.length === 0) return Array.isArray(before) ? [] : ''
  const [first] = parts
  if (parts.length === 1 && first.kind === 'text' && first.raw === undefined) return first.text
  return parts.map(encodePart)
}

function encodePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      if (!isRecord(part.raw)) return { type: 'text', text: part.text }
      return part.raw.text === part.text ? part.raw : { ...part.raw, text: part.text }
    case 'call':
      return encodeCall(part)
    case 'result':
      return encodeResult(part)
    case 'reasoning':
      return part.raw ?? { type: 'thinking', thinking: part.text }
    case 'other':
      return part.raw
  }
}

function encodeCall(part: CallPart): unknown {
  const { id, name, input, raw, by } = part
  if (!isRecord(raw)) return { type: 'tool_use', id, name, input }
  if (by === 'provider') return raw
  return overlay(
    raw,
    isId(raw.id, part) ? {} : { id },
    text(raw.name) === name ? {} : { name },
    equal(raw.input, input) ? {} : { input },
  )
}

function encodeResult(part: ResultPart): unknown {
  const { id, content, error, raw, by } = part
  if (!isRecord(raw))
    return {
      type: 'tool_result',
      tool_use_id: id,
      ...(content === undefined ? {} : { content }),
      ...(error ? { is_error: true } : {}),
    }
  if (by === 'provider') return raw
  return overlay(
    raw,
    isId(raw.tool_use_id, part) ? {} : { tool_use_id: id },
    equal(raw.content, content) ? {} : { content },
  )
}
