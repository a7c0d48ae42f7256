import {
  asRecord,
  blankOf,
  type Conversation,
  isRecord,
  type Message,
  type ResultPart,
} from '../../core/conversation.ts'
import { writeContent } from '../shared/chat-content.ts'
import { copyOf, roleOf } from '../shared/chat-message.ts'
import { writeCall } from '../shared/function-call.ts'
import { unlessEqual } from '../shared/overlay.ts'
import { isEmptyList } from './decode.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const first = decoded.messages[0]?.key ?? 0
  return messages.map(message => {
    const before = message.origin === undefined ? undefined : history[message.origin]
    return decoded.messages[message.key - first] === message
      ? before
      : unlessEqual(before, encodeMessage(message, history))
  })
}

type Raw = Record<string, unknown>

function encodeMessage(message: Message, history: readonly unknown[]): unknown {
  if (message.role === 'tool') return withoutEmptyCalls(encodeResult(message.parts[0] as ResultPart), message)
  if (message.role === 'other') return history[message.origin as number]
  const raw = copyOf(message, history, ['content', 'tool_calls', 'reasoning_content', 'prefix'])
  raw.role = roleOf(message)
  setContent(raw, message)
  if (message.role !== 'assistant') return withoutEmptyCalls(raw, message)
  writeAssistant(raw, message)
  return raw
}

/** Only in a message of another role: what is written for the assistant has no empty list. */
function withoutEmptyCalls(raw: Raw, { emptyCalls }: Message): Raw {
  if (emptyCalls || !isEmptyList(raw.tool_calls)) return raw
  const { tool_calls: _, ...rest } = raw
  return rest
}

function setContent(raw: Raw, message: Message): void {
  const blank = blankOf(message)
  if (blank === 'missing') delete raw.content
  else if (blank !== undefined) raw.content = blank === 'null' ? null : ''
  else raw.content = writeContent(message.parts)
}

function writeAssistant(raw: Raw, message: Message): void {
  const calls: unknown[] = []
  const reasoning: string[] = []
  const refusals: unknown[] = []
  for (const part of message.parts) {
    if (part.kind === 'call' && part.callKind === 'legacy')
      raw.function_call = { ...asRecord(part.raw), name: part.name, arguments: part.input }
    else if (part.kind === 'call') calls.push(writeCall(part))
    else if (part.kind === 'reasoning') reasoning.push(part.text)
    else if (part.kind === 'other' && part.field === 'tool_calls') calls.push(part.raw)
    else if (part.kind === 'other' && part.field === 'refusal') refusals.push(part.raw)
  }
  if (!message.parts.some(part => part.kind === 'call' && part.callKind === 'legacy')) delete raw.function_call
  if (calls.length > 0 || message.emptyCalls) raw.tool_calls = calls
  else if (Array.isArray(raw.tool_calls)) delete raw.tool_calls
  if (refusals.length > 0) raw.refusal = refusals.join('\n\n')
  else if (raw.refusal) delete raw.refusal
  if (reasoning.length > 0) raw.reasoning_content = reasoning.join('\n\n')
  else if (typeof raw.reasoning_content === 'string') delete raw.reasoning_content
}

function encodeResult(part: ResultPart): Raw {
  const { id, name, content } = part
  const raw = isRecord(part.raw) ? part.raw : {}
  if (part.callKind === 'legacy') {
    const { tool_call_id: _, ...rest } = raw
    return { ...rest, role: 'function', name: name ?? raw.name, content }
  }
  const named = typeof raw.name === 'string' && name !== undefined ? { name } : {}
  return { ...raw, ...named, role: 'tool', tool_call_id: id, content }
}
