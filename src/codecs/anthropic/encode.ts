import { type CallPart, isRecord, type Part, type ResultPart } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { blockEncoder } from '../shared/blocks.ts'
import { overlay } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'

export const encode = blockEncoder(encodeContent)

function encodeContent(parts: readonly Part[], before: unknown): unknown {
  if (parts.length === 0) return Array.isArray(before) ? [] : ''
  const [first] = parts
  if (parts.length === 1 && first?.kind === 'text' && first.raw === undefined) return first.text
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
