import { type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { readContent } from '../shared/chat-content.ts'
import { readCall } from '../shared/function-call.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { ollamaFormat } from './format.ts'
import { areImages } from './pieces.ts'

/** Every message of the format is one message, so keys are indexes. */
export function decode(history: readonly unknown[], from = 0, to = history.length): Conversation {
  const messages: Message[] = []
  for (let index = from; index < to; index++) messages.push(readMessage(history[index], index))
  return { format: ollamaFormat, messages, continues: false }
}

type Raw = Readonly<Record<string, unknown>>

const roles = new Map<unknown, Role>([
  ['user', 'user'],
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])

/** It is unreadable if the calls of the assistant are not a list. */
function readMessage(raw: unknown, index: number): Message {
  const place = { key: index, origin: index }
  const role = isRecord(raw) ? roles.get(raw.role) : undefined
  if (!isRecord(raw) || role === undefined) return { ...place, role: 'other', parts: [] }
  if (role === 'tool') return { ...place, role, parts: [readResult(raw)] }
  const calls = role === 'assistant' ? (raw.tool_calls ?? []) : []
  if (!Array.isArray(calls)) return { ...place, role: 'other', parts: [] }
  const { parts: content, blank } = readContent(raw.content)
  return {
    ...place,
    role,
    parts: [...readThinking(raw, role), ...content, ...readImages(raw), ...calls.map(readToolCall)],
    ...(blank === undefined ? {} : { blank }),
    ...(isText(raw.content) && isText(raw.thinking) && areImages(raw.images) ? {} : { malformed: true as const }),
    ...(raw.role === 'developer' ? { developer: true as const } : {}),
    ...(Array.isArray(raw.tool_calls) && raw.tool_calls.length === 0 && role === 'assistant'
      ? { emptyCalls: true as const }
      : {}),
  }
}

/** Thinking that is not a text is read as its JSON, so that a repair keeps it. */
function readThinking({ thinking }: Raw, role: Role): Part[] {
  if (role !== 'assistant' || thinking === undefined || thinking === null) return []
  return [{ kind: 'reasoning', text: typeof thinking === 'string' ? thinking : jsonText(thinking), signed: false }]
}

/** Null counts as a missing image. */
function readImages({ images }: Raw): Part[] {
  if (images === undefined || images === null) return []
  if (!Array.isArray(images)) return [{ kind: 'other', field: 'images', raw: images }]
  return images.flatMap((raw, slot): Part[] => (raw === null ? [] : [{ kind: 'other', field: 'images', raw, slot }]))
}

/** The arguments of a call without any are not there. */
function readToolCall(raw: unknown, slot: number): Part {
  const part = readCall(raw, slot, 'tool_calls')
  return part.kind === 'call' ? { ...part, input: part.input ?? {} } : part
}

/** A result names its tool, in newer versions also its call; one with neither is told by its position. */
function readResult(raw: Raw): Part {
  const name = nameIn(raw)
  return {
    kind: 'result',
    id: idText(raw.tool_call_id),
    ...(name === '' ? {} : { name }),
    content: raw.content,
    ...numeric(raw.tool_call_id),
    ...(isText(raw.content) && isText(raw.tool_name) && areImages(raw.images) ? {} : { malformed: true as const }),
    sort: 'function',
    by: 'client',
    raw,
  }
}

/** A text, or none. */
export const isText = (content: unknown): boolean =>
  typeof content === 'string' || content === undefined || content === null

/** Clients of other APIs write the tool as `name`, which Ollama ignores. */
export const nameIn = ({ tool_name, name }: Raw): string => text(tool_name) || text(name)
