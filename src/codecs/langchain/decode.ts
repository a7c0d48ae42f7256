import {
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type OtherPart,
  type Part,
  type ReasoningPart,
} from '../../core/conversation.ts'
import { type Content, readContent } from '../chat-content.ts'
import { idText, numeric, text } from '../text.ts'
import { blockId, Copies, listedCalls, readBlock } from './calls.ts'
import { type Fields, fieldsOf, formOf, holders, isDeveloper, record, roleOf, typeOf } from './form.ts'
import { wire } from './wire.ts'

/** Every wire message is one message, so keys are indexes. */
export function decode(history: readonly unknown[], from = 0, to = history.length): Conversation {
  const messages: Message[] = []
  for (let index = from; index < to; index++) messages.push(decodeMessage(history[index], index))
  return { wire, messages, continues: false }
}

function decodeMessage(raw: unknown, index: number): Message {
  if (!isRecord(raw)) return { key: index, origin: index, role: 'other', parts: [] }
  const type = typeOf(raw)
  const role = roleOf(type)
  const fields = fieldsOf(raw)
  const within = holders[formOf(raw)]
  const place = { key: index, origin: index, role, ...(within === undefined ? {} : { within }) }
  switch (role) {
    case 'system':
      return {
        ...place,
        ...readContent(fields.content, contentPart),
        ...(isDeveloper(type, fields) ? { developer: true } : {}),
      }
    case 'user':
      return { ...place, ...readContent(fields.content, contentPart) }
    case 'assistant':
      return { ...place, ...assistant(fields) }
    case 'tool':
      return { ...place, parts: [result(fields)] }
    case 'other':
      return { ...place, parts: [] }
  }
}

/** A text in a list of blocks can stand there bare. */
function contentPart(raw: unknown, slot: number): Part {
  if (typeof raw === 'string') return { kind: 'text', text: raw, raw, slot }
  if (isRecord(raw) && raw.type === 'text' && typeof raw.text === 'string')
    return { kind: 'text', text: raw.text, raw, slot }
  return { kind: 'other', raw, slot }
}

/**
 * A call that has a block in the content stands in the place of that block, all others behind the content. Content that is
 * nothing but reasoning is there, and says nothing.
 */
export function assistant(fields: Fields): Content {
  const listed = listedCalls(fields)
  const copies = Array.isArray(fields.content) ? new Copies(listed) : undefined
  const placed = new Set<CallPart | OtherPart>()
  const { parts, ...blank } = readContent(fields.content, (raw, slot) => {
    if (blockId(raw) === undefined) return reasoningPart(raw, slot) ?? contentPart(raw, slot)
    const own = readBlock(raw as Fields, slot)
    const call = copies?.take(own)
    if (!call) return own
    placed.add(call)
    return { ...call, raw: { ...record(call.raw), content: raw } }
  })
  const isThought = parts.length > 0 && parts.every(part => part.kind === 'reasoning')
  const { reasoning_content: reasoning } = record(fields.additional_kwargs)
  if (typeof reasoning === 'string') parts.unshift({ kind: 'reasoning', text: reasoning, signed: false })
  for (const call of listed) if (!placed.has(call)) parts.push(call)
  return { parts, ...blank, ...(isThought ? { blank: 'empty' as const } : {}) }
}

/** Reasoning that a provider has put into the content; there it stays. */
function reasoningPart(raw: unknown, slot: number): ReasoningPart | undefined {
  if (!isReasoning(raw)) return undefined
  const words = text(raw.thinking) || text(raw.reasoning) || text(raw.text)
  return { kind: 'reasoning', text: words, signed: text(raw.signature) !== '', raw, slot }
}

export const isReasoning = (block: unknown): block is Fields =>
  isRecord(block) && (block.type === 'thinking' || block.type === 'redacted_thinking' || block.type === 'reasoning')

function result(fields: Fields): Part {
  const { tool_call_id: id, name } = fields
  return {
    kind: 'result',
    id: idText(id),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    content: fields.content,
    ...numeric(id),
    ...(fields.status === 'error' ? { error: true as const } : {}),
    sort: 'function',
    by: 'client',
  }
}
