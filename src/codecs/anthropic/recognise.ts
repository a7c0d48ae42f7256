import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText, strongestEvidence } from '../shared/evidence.ts'

const roles = new Set<unknown>(['user', 'assistant', 'system', 'developer'])

const foreign = ['parts', 'tool_calls', 'toolCalls', 'tool_call_id', 'toolCallId']

export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, foreign)) return 'no'
  const { content } = message
  if (content === undefined || content === null) return 'odd'
  const blocks = isText(content) ? [] : content
  return Array.isArray(blocks) ? strongestEvidence(blocks, 'stop_reason' in message ? 'yes' : 'maybe', inBlock) : 'no'
}

/** Other formats use the same block names: the names of the fields tell them apart. */
function inBlock(block: Fields): Recognition {
  const { type, source, text, thinking, signature, data } = block
  if (!isText(type)) return 'no'
  switch (type) {
    case 'text':
      return isText(text) ? 'maybe' : isRecord(text) || 'content' in block ? 'no' : 'odd'
    case 'thinking':
      return hasAny(block, ['thinkingSignature', 'content']) ? 'no' : isText(thinking ?? signature) ? 'yes' : 'odd'
    case 'redacted_thinking':
      return isText(data) ? 'yes' : 'odd'
    case 'image':
    case 'document':
      return isRecord(source) && !('value' in source || 'image' in block) ? 'yes' : 'no'
    case 'search_result':
    case 'container_upload':
    case 'compaction':
    case 'fallback':
    case 'mcp_tool_listing':
    case 'tool_addition':
    case 'tool_removal':
      return 'yes'
  }
  if (type.endsWith('tool_use')) return 'input' in block ? 'yes' : hasAny(block, ['arguments', 'args']) ? 'no' : 'odd'
  if (!type.endsWith('tool_result')) return 'no'
  return hasId(block.tool_use_id) ? 'yes' : Object.keys(block).every(key => resultKeys.has(key)) ? 'odd' : 'no'
}

const resultKeys = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])
