import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, isText, strongestEvidence } from '../shared/evidence.ts'

const members = [
  ...['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent', 'citationsContent', 'searchResult'],
]
const media = ['image', 'document', 'video', 'audio']
const roles = new Set<unknown>(['user', 'assistant', 'system', 'tool'])

/** Blocks have no type here: the key shows what they are. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, ['tool_calls', 'parts'])) return 'no'
  const { role, content } = message
  if (!Array.isArray(content)) return isRecord(content) ? 'no' : 'odd'
  const verdict = strongestEvidence(content, 'maybe', inBlock)
  if (verdict === 'yes' || verdict === 'no') return verdict
  const isPlain = role === 'user' || role === 'assistant'
  return isPlain && !Object.keys(message).some(key => isRecord(message[key])) ? verdict : 'odd'
}

function inBlock(block: Fields): Recognition {
  if ('type' in block) return 'no'
  if (members.some(member => isRecord(block[member]))) return 'yes'
  // Other formats have media under the same names, for example with a URL.
  if (media.some(member => isRecord(block[member]) && 'source' in block[member])) return 'yes'
  return isText(block.text) ? 'likely' : Object.keys(block).length > 0 ? 'no' : 'maybe'
}
