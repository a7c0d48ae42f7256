import { type Conversation, isRecord, type Message, type Part } from '../../core/conversation.ts'
import { type Content, readContent } from '../shared/chat-content.ts'
import { type ChatReader, readMessage } from '../shared/chat-message.ts'
import { readCall } from '../shared/function-call.ts'
import { idText, numeric } from '../shared/text.ts'
import { nameIn } from './field-names.ts'
import { agUiFormat } from './format.ts'

/** Every message of the format is one message, except asides. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  const asides: number[] = []
  for (let origin = from; origin < to; origin++) {
    if (isAside(history[origin])) asides.push(origin)
    else messages.push(readMessage(history[origin], key + messages.length, origin, reader))
  }
  return { format: agUiFormat, messages, asides, continues: false }
}

/** Progress shown to a person, and reasoning: allowed anywhere, also between calls and results. */
export const isAside = (raw: unknown): boolean => isRecord(raw) && (raw.role === 'activity' || raw.role === 'reasoning')

type Raw = Readonly<Record<string, unknown>>

function readAssistant(raw: Raw): Content & Pick<Message, 'emptyCalls'> {
  const content = readContent(raw.content)
  const field = nameIn(raw, 'calls')
  const calls = field === undefined ? undefined : raw[field]
  if (field === undefined || !Array.isArray(calls)) return content
  for (let slot = 0; slot < calls.length; slot++) content.parts.push({ ...readCall(calls[slot], slot, field), field })
  return calls.length === 0 ? { ...content, emptyCalls: true } : content
}

function readResult(raw: Raw): Part {
  const id = raw[nameIn(raw, 'answers') ?? '']
  return {
    kind: 'result',
    id: idText(id),
    ...(typeof raw.name === 'string' && raw.name !== '' ? { name: raw.name } : {}),
    content: raw.content,
    ...(typeof raw.content === 'string' || Array.isArray(raw.content) ? {} : { malformed: true as const }),
    ...numeric(id),
    ...(typeof raw.error === 'string' && raw.error !== '' ? { error: true as const } : {}),
    callKind: 'function',
    by: 'client',
    raw,
  }
}

const reader: ChatReader = {
  assistant: readAssistant,
  calls: raw => raw[nameIn(raw, 'calls') ?? ''],
  isResult: role => role === 'tool',
  result: readResult,
}
