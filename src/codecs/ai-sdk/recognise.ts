import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText, yesOrStrongestEvidence } from '../shared/evidence.ts'

/** Keys of messages in other formats that have the same roles. */
const foreign = [
  ...['parts', 'tool_calls', 'tool_call_id', 'toolCalls', 'toolCallId'],
  ...['stop_reason', 'additional_kwargs', 'type'],
]

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool'])

export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, foreign)) return 'no'
  const { role, content } = message
  if (content === undefined || content === null) return 'odd'
  if (hasAny(message, ['providerOptions', 'experimental_providerMetadata'])) return 'yes'
  if (isText(content)) return role === 'tool' ? 'no' : 'maybe'
  return Array.isArray(content) ? yesOrStrongestEvidence(content, role === 'tool' ? 'odd' : 'maybe', inPart) : 'no'
}

function inPart(part: Fields): Recognition {
  const { type, text } = part
  if (isText(type) && /^tool-(call|result|approval-re(quest|sponse))$/.test(type)) {
    // assistant-ui keeps the result of a call in its part.
    if ('argsText' in part) return 'no'
    if (hasId(part.toolCallId) || hasId(part.approvalId)) return 'yes'
    return hasAny(part, ['tool_call_id', 'tool_name', 'id']) ? 'no' : 'odd'
  }
  if ('providerOptions' in part || (type === 'image' && 'image' in part) || (type === 'file' && 'data' in part))
    return 'yes'
  return !isText(text) ? 'no' : type === 'reasoning' ? 'likely' : type === 'text' ? 'maybe' : 'no'
}
