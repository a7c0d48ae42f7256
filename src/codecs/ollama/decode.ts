import { type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { readContent } from '../shared/chat-content.ts'
import { readCall } from '../shared/function-call.ts'
import { text } from '../shared/text.ts'
import { areCalls, areTyped, callsIn, idOf, isIndexed, isText, isTyped, untyped } from './field-types.ts'
import { ollamaFormat } from './format.ts'
import { areImages, isLostImage } from './pieces.ts'

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

/** A message that is not an object cannot be sent, and one of an unknown role is left out of the prompt. */
function readMessage(raw: unknown, index: number): Message {
  const place = { key: index, origin: index }
  if (!isRecord(raw)) return { ...place, role: 'other', parts: raw === null ? [] : [unreadable(raw)] }
  const role = roles.get(raw.role)
  if (role === undefined) return { ...place, role: 'other', parts: [], ...malformed(isTyped(raw)) }
  if (role === 'tool') return { ...place, role, parts: [readResult(raw)] }
  const { parts: content, blank } = readContent(raw.content)
  const { calls, isWhole } = role === 'assistant' ? readCalls(raw) : strayCalls(raw)
  return {
    ...place,
    role,
    parts: [...readThinking(raw, role), ...content, ...readImages(raw), ...calls],
    ...(blank === undefined ? {} : { blank }),
    ...malformed(isText(raw.content) && areTyped(raw) && isWhole),
    ...(raw.role === 'developer' ? { developer: true as const } : {}),
    ...(Array.isArray(raw.tool_calls) && raw.tool_calls.length === 0 && role === 'assistant'
      ? { emptyCalls: true as const }
      : {}),
  }
}

const malformed = (isSendable: boolean): { malformed?: true } => (isSendable ? {} : { malformed: true })

const unreadable = (raw: unknown, field?: string): Part => ({
  kind: 'other',
  unreadable: true,
  ...(field === undefined ? {} : { field }),
  raw,
})

/** `isWhole`: the list and the positions in it need no other form. */
function readCalls(raw: Raw): { calls: Part[]; isWhole: boolean } {
  const list = callsIn(raw)
  if (!list) return { calls: [unreadable(raw.tool_calls, 'tool_calls')], isWhole: true }
  const isWhole = isNothing(raw.tool_calls) || Array.isArray(raw.tool_calls)
  return { calls: list.map(readToolCall), isWhole: isWhole && list.every(isPlaced) }
}

const isPlaced = (call: unknown): boolean => !isRecord(call) || !isRecord(call.function) || isIndexed(call.function)

/** Calls in a message whose role has none: the API ignores them, but rejects their types. */
const strayCalls = ({ tool_calls: calls }: Raw): { calls: Part[]; isWhole: boolean } => ({
  calls: areCalls(calls) ? [] : [unreadable(calls, 'tool_calls')],
  isWhole: true,
})

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** Thinking that is not a text is read as its JSON, so that a repair keeps it. */
function readThinking({ thinking }: Raw, role: Role): Part[] {
  if (role !== 'assistant' || thinking === undefined || thinking === null) return []
  return [{ kind: 'reasoning', text: typeof thinking === 'string' ? thinking : jsonText(thinking), signed: false }]
}

/** Null counts as a missing image. */
function readImages({ images }: Raw): Part[] {
  if (images === undefined || images === null) return []
  if (!Array.isArray(images)) return [{ kind: 'other', field: 'images', raw: images }]
  return images.flatMap((raw, slot): Part[] =>
    raw === null
      ? []
      : [{ kind: 'other', field: 'images', raw, slot, ...(isLostImage(raw) ? { unreadable: true } : {}) }],
  )
}

/** A call without arguments has no field for them. */
function readToolCall(raw: unknown, slot: number): Part {
  const part = readCall(raw, slot, 'tool_calls')
  if (part.kind !== 'call') return part
  const { id } = part.raw as Raw
  return { ...part, id: idOf(id), ...untyped(id), input: part.input ?? {} }
}

/** A result names its tool, in newer versions also its call; one with neither is paired by its position. */
function readResult(raw: Raw): Part {
  const name = nameIn(raw)
  return {
    kind: 'result',
    id: idOf(raw.tool_call_id),
    ...(name === '' ? {} : { name }),
    content: raw.content,
    ...untyped(raw.tool_call_id),
    ...malformed(isSendableResult(raw.content, raw)),
    callKind: 'function',
    by: 'client',
    raw,
  }
}

/** Whether a result has the types of the API, apart from its id. */
export const isSendableResult = (content: unknown, { tool_name, thinking, images, tool_calls }: Raw): boolean =>
  isText(content) && isText(tool_name) && isText(thinking) && areImages(images) && areCalls(tool_calls)

/** Clients of other APIs write the tool as `name`, which Ollama ignores. */
export const nameIn = ({ tool_name, name }: Raw): string => text(tool_name) || text(name)
