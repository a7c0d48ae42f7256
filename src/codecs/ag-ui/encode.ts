import {
  blankOf,
  type Conversation,
  clientCalls,
  isRecord,
  type Message,
  type ResultPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { insertAsides } from '../shared/asides.ts'
import { writeContent } from '../shared/chat-content.ts'
import { copyOf, roleOf } from '../shared/chat-message.ts'
import { writeCall } from '../shared/function-call.ts'
import { overlay, unlessEqual } from '../shared/overlay.ts'
import { isId } from '../shared/text.ts'
import { camelCase, type FieldNames, fieldNamesOf, nameIn } from './field-names.ts'
import { MadeUpIds } from './made-up-ids.ts'

/** Made-up messages use the field names of the message before them, or else of the first message. */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const first = decoded.messages[0]?.key ?? 0
  const ids = new MadeUpIds(decoded, history)
  let names = firstFieldNames(decoded, history)
  const written = messages.map(message => {
    const before = message.origin === undefined ? undefined : history[message.origin]
    names = fieldNamesOf(before) ?? names
    // A system message may be moved to the front later: made-up messages do not depend on it.
    if (message.origin !== undefined && message.role !== 'system') ids.pass(message.origin)
    return decoded.messages[message.key - first] === message
      ? before
      : unlessEqual(before, encodeMessage(message, history, names, ids))
  })
  return insertAsides(written, messages, decoded, history)
}

function firstFieldNames({ messages }: Conversation, history: readonly unknown[]): FieldNames {
  for (const { origin } of messages) {
    const names = fieldNamesOf(history[origin as number])
    if (names) return names
  }
  return camelCase
}

type Raw = Record<string, unknown>

function encodeMessage(message: Message, history: readonly unknown[], names: FieldNames, ids: MadeUpIds): unknown {
  if (message.role === 'other') return history[message.origin as number]
  if (message.role === 'tool') return encodeResult(message.parts[0] as ResultPart, names, ids)
  const raw = base(message, history, ids)
  raw.role = roleOf(message)
  setContent(raw, message)
  if (message.role === 'assistant') setCalls(raw, message, names)
  return raw
}

function base(message: Message, history: readonly unknown[], ids: MadeUpIds): Raw {
  const raw = copyOf(message, history, ['content', 'toolCalls', 'tool_calls'])
  return message.origin !== undefined || 'id' in raw ? raw : { id: ids.next(clientCalls(message)[0]?.id), ...raw }
}

/** A message with calls may omit its content; every other message has at least an empty text. */
function setContent(raw: Raw, message: Message): void {
  const blank = blankOf(message)
  if (blank === undefined) raw.content = writeContent(message.parts)
  else if (blank === 'empty') raw.content = ''
  else if (blank === 'missing' || (raw.content !== null && message.role === 'assistant')) delete raw.content
  else if (raw.content !== null) raw.content = ''
}

function setCalls(raw: Raw, message: Message, names: FieldNames): void {
  let field = nameIn(raw, 'calls')
  const calls: unknown[] = []
  for (const part of message.parts) {
    if (part.kind === 'call') calls.push(writeCall(part))
    else if (part.kind === 'other' && part.field !== undefined && part.field !== 'content') calls.push(part.raw)
    else continue
    field ??= part.field
  }
  field ??= names.calls
  if (calls.length > 0 || message.emptyCalls) raw[field] = calls
  else if (Array.isArray(raw[field])) delete raw[field]
}

/** Only a text marks a result as an error. In a made-up result it is the text of the result itself. */
function encodeResult(part: ResultPart, names: FieldNames, ids: MadeUpIds): unknown {
  const { id, name, error, raw } = part
  const content = contentOf(part)
  if (!isRecord(raw)) {
    const failure = error ? { error: (typeof content === 'string' && content) || 'error' } : {}
    return { id: ids.next(), role: 'tool', [names.answers]: id, content, ...failure }
  }
  const field = nameIn(raw, 'answers') ?? names.answers
  return overlay(
    raw,
    isId(raw[field], part) ? {} : { [field]: id },
    equal(raw.content, content) ? {} : { content },
    typeof raw.name === 'string' && name !== undefined && name !== raw.name ? { name } : {},
  )
}

/** A text or a list of blocks; another value becomes a text, unless it is circular. */
function contentOf({ content, malformed }: ResultPart): unknown {
  if (malformed || typeof content === 'string' || Array.isArray(content)) return content
  try {
    return content === undefined || content === null ? '' : JSON.stringify(content)
  } catch {
    return content
  }
}
