import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { functionCalls, hasAny, hasId, isText, strongestEvidence } from '../shared/evidence.ts'
import { isAside } from './decode.ts'

const roles = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'activity', 'reasoning'])

const chatOnly = ['reasoning_content', 'function_call', 'refusal', 'annotations', 'audio']

/**
 * Every message has an id, which sets those with snake_case fields apart from plain chat, for which the same calls are
 * evidence.
 */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, ['parts', 'toolInvocations', 'tool_call_ids']))
    return 'no'
  const { role, content, toolCalls, id } = message
  const calls = functionCalls(toolCalls ?? message.tool_calls)
  if (calls === 'no' || (message.type ?? null) !== null) return 'no'
  if (Array.isArray(toolCalls)) return calls === 'maybe' ? 'odd' : calls
  if ('toolCallId' in message) return Array.isArray(content) || !hasId(message.toolCallId) ? 'odd' : 'yes'
  if (!isText(id) || hasAny(message, chatOnly)) return 'no'
  if (isAside(message) || calls === 'yes') return 'yes'
  if (isRecord(content)) return 'no'
  if (role === 'tool') return hasId(message.tool_call_id) ? 'yes' : 'odd'
  if (content === undefined) return 'odd'
  return strongestEvidence(Array.isArray(content) ? content : [], role === 'assistant' ? 'maybe' : 'likely', inBlock)
}

const inBlock = ({ type, source, text }: Fields): Recognition =>
  type === 'binary' || (isRecord(source) && 'value' in source)
    ? 'yes'
    : type === 'text' && isText(text)
      ? 'maybe'
      : 'no'
