import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText, strongestEvidence } from '../shared/evidence.ts'

const foreign = ['parts', 'toolCalls', 'toolCallId', 'function_call', 'reasoning_content', 'type']

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool'])

/** Arguments that are objects, and fields that only this API has. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, foreign)) return 'no'
  const { role, content, tool_calls: calls, images, tool_name: tool } = message
  if (role === 'tool') return calls ? 'no' : isText(tool) && tool !== '' ? 'yes' : inLooseResult(message)
  if (content !== undefined && content !== null && !isText(content)) return Array.isArray(content) ? 'odd' : 'no'
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) return 'odd'
  if (isFilled(calls)) return role === 'assistant' ? strongestEvidence(calls, 'maybe', inCall) : 'no'
  if (isFilled(images)) return images.every(isText) ? 'yes' : 'no'
  if (isText(message.thinking)) return 'likely'
  return content === undefined ? 'odd' : 'maybe'
}

const isFilled = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 0

/**
 * A call names its function, with arguments that are not a text. Templates of open models write the same, with a type. With a text it
 * looks like a call of Chat Completions, unless a result names its tool.
 */
function inCall({ id, type, function: called, custom }: Fields): Recognition {
  if (!isRecord(called) || custom !== undefined) return 'no'
  if (isText(called.arguments)) return id === undefined && type === undefined ? 'odd' : 'no'
  if (type !== undefined && type !== 'function') return 'no'
  if (!isRecord(called.arguments)) return 'odd'
  if ('index' in called || type === undefined) return 'yes'
  return hasId(id) ? 'odd' : 'likely'
}

/** A result that does not name its tool is told by its position. */
const inLooseResult = ({ tool_call_id: id, content }: Fields): Recognition =>
  id !== undefined ? 'odd' : isText(content) ? 'maybe' : 'odd'
