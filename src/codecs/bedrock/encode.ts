import { type CallPart, isRecord, type Part, type ResultPart } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { blockEncoder } from '../shared/blocks.ts'
import { overlay } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { isMark, rewrite } from './marks.ts'
import { isResultContent, toResultContent } from './result-content.ts'

export const encode = blockEncoder((parts, before) => {
  if (parts.length === 0 && Array.isArray(before) && before.every(isMark)) return before
  return parts.flatMap(part => rewrite(part.raw, block => encodeBlock(part, block)))
})

/** A value that a tool gave back is at home in results only: quoted, it is text. */
function encodeBlock(part: Part, raw: unknown): unknown {
  const block = isRecord(raw) ? raw : {}
  switch (part.kind) {
    case 'text':
      return block.text === part.text ? raw : { ...block, text: part.text }
    case 'call':
      return under(block, 'toolUse', encodeCall(part, block.toolUse))
    case 'result':
      return under(block, 'toolResult', encodeResult(part, block.toolResult))
    case 'reasoning':
      return raw ?? { reasoningContent: { reasoningText: { text: part.text } } }
    case 'other':
      return part.slot === undefined && 'json' in block ? { text: JSON.stringify(block.json) } : raw
  }
}

const under = (block: Record<string, unknown>, key: string, value: unknown): unknown =>
  block[key] === value ? block : { ...block, [key]: value }

function encodeCall(part: CallPart, raw: unknown): unknown {
  const { id, name, input, by } = part
  if (!isRecord(raw)) return { toolUseId: id, name, input }
  if (by === 'provider') return raw
  return overlay(
    raw,
    isId(raw.toolUseId, part) ? {} : { toolUseId: id },
    text(raw.name) === name ? {} : { name },
    equal(raw.input, input) ? {} : { input },
  )
}

function encodeResult(part: ResultPart, raw: unknown): unknown {
  const { id, content, error, by, malformed } = part
  if (!isRecord(raw)) return { toolUseId: id, content: toResultContent(content), ...(error ? { status: 'error' } : {}) }
  if (by === 'provider') return raw
  const isSame = equal(raw.content, content) && (malformed || isResultContent(content))
  return overlay(
    raw,
    isId(raw.toolUseId, part) ? {} : { toolUseId: id },
    isSame ? {} : { content: toResultContent(content) },
  )
}
