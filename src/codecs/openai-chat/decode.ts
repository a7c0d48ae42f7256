import { type Conversation, isRecord, type Message, type Part } from '../../core/conversation.ts'
import { type Content, readContent } from '../shared/chat-content.ts'
import { type ChatReader, readMessage } from '../shared/chat-message.ts'
import { readCall } from '../shared/function-call.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { openaiChatFormat } from './format.ts'

/** Every message of the format is one message, so keys are indexes. */
export function decode(history: readonly unknown[], from = 0, to = history.length): Conversation {
  const messages: Message[] = []
  for (let index = from; index < to; index++) {
    const message = readMessage(history[index], index, index, reader)
    messages.push(hasEmptyCalls(message, history[index]) ? { ...message, emptyCalls: true } : message)
  }
  return { format: openaiChatFormat, messages, continues: false }
}

/** A program may write all fields into every message. */
const hasEmptyCalls = ({ role }: Message, raw: unknown): boolean =>
  role !== 'assistant' && role !== 'other' && isEmptyList((raw as Raw).tool_calls)

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

type Raw = Readonly<Record<string, unknown>>

function assistant(raw: Raw): Content & Pick<Message, 'emptyCalls' | 'prefix'> {
  if (isMisfiledResult(raw)) return { parts: [misfiledResult(raw)] }
  const { parts, blank } = readContent(raw.content)
  if (typeof raw.reasoning_content === 'string')
    parts.unshift({ kind: 'reasoning', text: raw.reasoning_content, signed: false })
  if (typeof raw.refusal === 'string' && raw.refusal !== '')
    parts.push({ kind: 'other', field: 'refusal', raw: raw.refusal })
  if (isRecord(raw.audio)) parts.push({ kind: 'other', field: 'audio', raw: raw.audio })
  const calls = Array.isArray(raw.tool_calls) ? raw.tool_calls : undefined
  if (calls) for (let slot = 0; slot < calls.length; slot++) parts.push(readCall(calls[slot], slot, 'tool_calls'))
  if (isRecord(raw.function_call)) {
    const { name, arguments: input } = raw.function_call
    parts.push({
      kind: 'call',
      id: '',
      name: text(name),
      input,
      callKind: 'legacy',
      by: 'client',
      raw: raw.function_call,
    })
  }
  return {
    parts,
    ...(blank === undefined ? {} : { blank }),
    ...(calls?.length === 0 ? { emptyCalls: true as const } : {}),
    ...(raw.prefix === true ? { prefix: true as const } : {}),
  }
}

function result(raw: Raw): Part {
  const id = idText(raw.tool_call_id)
  return {
    kind: 'result',
    id,
    ...(typeof raw.name === 'string' ? { name: raw.name } : {}),
    content: raw.content,
    ...numeric(raw.tool_call_id),
    ...(raw.is_error === true || raw.status === 'error' ? { error: true as const } : {}),
    callKind: raw.role === 'function' ? 'legacy' : 'function',
    by: 'client',
    raw,
  }
}

/** An assistant message that carries a result: it has the id of a call that it answers, and no calls. */
const isMisfiledResult = (raw: Raw): boolean =>
  typeof raw.tool_call_id === 'string' && raw.tool_call_id !== '' && !raw.tool_calls

function misfiledResult(raw: Raw): Part {
  const content =
    raw.content === undefined || raw.content === null || raw.content === '' ? (raw.result ?? raw.content) : raw.content
  return { ...result({ ...raw, content }), raw: undefined } as Part
}

const reader: ChatReader = {
  assistant,
  calls: raw => raw.tool_calls,
  isResult: role => role === 'tool' || role === 'function',
  result,
}
