import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText, strongestEvidence } from '../shared/evidence.ts'
import { byCallType, byResultType, keptItems, serverItems } from './call-kinds.ts'

/** Fields of messages and items in other formats. */
const foreign = ['parts', 'tool_calls', 'toolCalls', 'tool_call_id', 'stop_reason']

const roles = new Set<unknown>(['system', 'developer', 'user', 'assistant'])

export function recognise(item: unknown): Recognition {
  if (!isRecord(item) || item.object === 'realtime.item' || hasAny(item, foreign)) return 'no'
  const { type, content } = item
  if (type !== undefined && type !== 'message') return inItem(item)
  if (!roles.has(item.role)) return 'no'
  if (content === undefined || content === null) return 'odd'
  const blocks = isText(content) ? [] : content
  return Array.isArray(blocks) ? strongestEvidence(blocks, type === 'message' ? 'likely' : 'maybe', inBlock) : 'no'
}

function inBlock(block: Fields): Recognition {
  const { type, text } = block
  if (!isText(type) || 'transcript' in block) return 'no'
  if (/^(in|out)put_(text|image|file)$/.test(type)) return 'yes'
  return type === 'refusal' || (type === 'text' && isText(text)) ? 'maybe' : 'no'
}

/** An item is of its type only if it has the fields that the type always has: other formats and logs use the same names. */
function inItem(item: Fields): Recognition {
  const { type, id, call_id: call, arguments: input } = item
  if (byCallType.has(type) || byResultType.has(type)) {
    if (hasId(call)) return 'result' in item ? 'no' : 'yes'
    if (type === 'function_call') return isText(input) ? 'likely' : isRecord(input) ? 'no' : 'odd'
    return 'execution' in item ? 'yes' : 'odd'
  }
  if (type === 'reasoning' ? Array.isArray(item.summary) : isServed(type) && (hasId(id) || hasId(call))) return 'yes'
  // The text of reasoning is in its summary or in a list of content.
  if (type === 'reasoning' && isText(item.text ?? item.content)) return 'no'
  if (type !== 'reasoning' && !isServed(type) && !keptItems.has(type)) return 'no'
  return isText(item.encrypted_content) || hasAny(item, ['approval_request_id', 'tools']) ? 'yes' : 'odd'
}

const isServed = (type: unknown): boolean => type === 'item_reference' || serverItems.has(type)
