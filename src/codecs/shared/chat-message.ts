import { asRecord, isRecord, type Message, type Part } from '../../core/conversation.ts'
import { type Content, readContent } from './chat-content.ts'
import { joined } from './overlay.ts'

type Raw = Readonly<Record<string, unknown>>

/** What each chat format reads in its own way. */
export interface ChatReader {
  assistant(raw: Raw): Content & Pick<Message, 'emptyCalls' | 'prefix'>
  /** The field for the calls of an assistant message. */
  calls(raw: Raw): unknown
  isResult(role: unknown): boolean
  result(raw: Raw): Part
}

/** A message in a chat format: the role decides how it is read. It is unreadable if the calls are not a list. */
export function readMessage(raw: unknown, key: number, origin: number, reader: ChatReader): Message {
  const { role, content } = asRecord(raw)
  if (role === 'user' || role === 'system') return { key, origin, role, ...readContent(content) }
  if (role === 'developer') return { key, origin, role: 'system', developer: true, ...readContent(content) }
  if (isRecord(raw)) {
    if (reader.isResult(role)) return { key, origin, role: 'tool', parts: [reader.result(raw)] }
    const calls = reader.calls(raw)
    if (role === 'assistant' && (!calls || Array.isArray(calls))) return { key, origin, role, ...reader.assistant(raw) }
  }
  return { key, origin, role: 'other', parts: [] }
}

/** A copy of the message it comes from, with the fields of messages merged into it except `own`, which it has itself. */
export function copyOf(
  { origin, merged = [] }: Message,
  history: readonly unknown[],
  own: readonly string[],
): Record<string, unknown> {
  const raw = joined(merged.map(from => history[from]))
  for (const key of own) delete raw[key]
  return { ...raw, ...asRecord(history[origin ?? -1]) }
}

export const roleOf = ({ role, developer }: Message): string => (role === 'system' && developer ? 'developer' : role)
