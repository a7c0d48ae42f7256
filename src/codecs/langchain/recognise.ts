import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasId } from '../shared/evidence.ts'
import { formOf, roleOf, typeOf } from './form.ts'

/** What flat messages are called in no other format. */
const ownTypes = new Set<unknown>([
  ...['human', 'ai'],
  ...['HumanMessageChunk', 'AIMessageChunk', 'SystemMessageChunk', 'ToolMessageChunk'],
])

/** Messages that no other format has, and that are not read: they have no content, or no known role. */
const strangers = new Set<unknown>([
  ...['remove', 'generic', 'chat'],
  ...['RemoveMessage', 'ChatMessage', 'ChatMessageChunk'],
])

/** Names that LangChain accepts as a role, and never writes as a type. */
const roleNames = new Set<unknown>(['user', 'assistant'])

export function recognise(message: unknown): Recognition {
  if (!isRecord(message)) return 'no'
  const type = typeOf(message)
  const form = formOf(message)
  if (roleOf(type) === 'other' && !strangers.has(type)) return form === 'instance' ? 'yes' : 'no'
  if (form === 'instance' || form === 'constructor') return 'yes'
  if (form === 'stored') return !hasContent(message.data as Fields) ? 'no' : roleNames.has(type) ? 'odd' : 'yes'
  // LangChain accepts such messages among its own.
  if (typeof message.role === 'string') return hasContent(message) ? 'odd' : 'no'
  if (type === 'tool' && hasId(message.tool_call_id)) return isOdd(message) ? 'odd' : 'likely'
  if (ownTypes.has(type)) return !isOdd(message) && (hasContent(message) || 'tool_calls' in message) ? 'yes' : 'odd'
  if (!hasContent(message)) return type === 'remove' && hasId(message.id) ? 'likely' : 'no'
  return roleNames.has(type) || type === 'tool' ? 'odd' : 'likely'
}

/** Content is text or a list: a number, for example, belongs to something else that has a type. */
const isOdd = ({ content }: Fields): boolean => typeof content === 'number' || typeof content === 'boolean'

const hasContent = (fields: Fields): boolean => 'content' in fields || 'content_blocks' in fields
