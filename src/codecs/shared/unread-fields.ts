import { type Fields, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'

/**
 * Marks the messages in which nothing was read although other fields have content. `own` is the field that is read;
 * `fieldsOf` finds the fields where they are not those of the message itself.
 */
export function withUnreadFields(
  decode: Codec['decode'],
  own: 'content' | 'parts' = 'content',
  fieldsOf: (raw: Fields) => Fields = raw => raw,
): Codec['decode'] {
  return (history, ...asked) => {
    const conversation = decode(history, ...asked)
    const { messages } = conversation
    const mark = (message: Message, index: number): Message => {
      const { origin } = message
      const isDivided = messages[index - 1]?.origin === origin || messages[index + 1]?.origin === origin
      if (origin === undefined || isDivided || !isWordless(message)) return message
      const raws = message.parts.length > 1 ? message.parts.map(({ raw }) => raw) : [history[origin]]
      const fields = raws.filter(isRecord).flatMap(raw => unreadIn(fieldsOf(raw), own, message.role))
      return fields.length === 0 ? message : { ...message, unreadFields: Object.fromEntries(fields) }
    }
    return messages.some(isWordless) ? { ...conversation, messages: messages.map(mark) } : conversation
  }
}

const isWordless = ({ role, parts }: Message): boolean =>
  role !== 'other' && role !== 'tool' && parts.every((part: Part) => part.kind === 'text' && part.text.trim() === '')

/** The content of a message in fields that are not read: texts, and lists and records that are not empty. */
const unreadIn = (fields: Fields, own: string, role: Role): [string, unknown][] =>
  Object.entries(fields).filter(([key, value]) => key !== own && isUnread(key, role) && hasContent(value))

const isUnread = (key: string, role: Role): boolean =>
  key === 'content' || (role !== 'assistant' && ofAssistant.test(key)) || !readOrDescriptive.test(key)

/** Fields that are read in an assistant message only. */
const ofAssistant = /^(refusal|audio|reasoning_content|function_call|tool_?calls)$/i

function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Fields that are read, and fields that describe a message. */
const readOrDescriptive =
  /^(role|content|type|name|refusal|audio|prefix|reasoning_content|function_call|tool_?calls|object|model|index|status|state|phase|usage|\w*metadata|provider_?options|context_management|container|provider|logprobs|system_fingerprint|timestamp|(created|updated|finish|stop|cache)_?\w*)$|^(lc|_)_|(^|_)ids?$|Ids?$/i
