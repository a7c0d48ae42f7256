import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, strongestEvidence } from '../shared/evidence.ts'
import { hasMoreThanText, isOwnWithoutContent } from './keys.ts'

const roles = new Set<unknown>(['user', 'model', 'function', undefined, null, '', 'assistant', 'tool', 'system'])

/** Parts have no type here: the key shows what they are. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || !('parts' in message)) return 'no'
  const { role, parts } = message
  const isSpeaker = role === 'user' || role === 'model'
  // A text can be a part by itself.
  const list = [parts ?? []].flat().filter(part => !(isSpeaker && typeof part === 'string'))
  const verdict = strongestEvidence(list, 'maybe', inPart)
  if (verdict === 'likely' && role === 'model') return 'yes'
  // E-mails and the like have parts as well: a turn with text only must have a role.
  const hasKnownRole = isSpeaker || role === 'system' || Object.keys(message).length === 1
  return hasKnownRole || verdict === 'yes' || verdict === 'no' ? verdict : 'odd'
}

function inPart(part: Fields): Recognition {
  if (hasAny(part, ['type', 'kind', 'part_kind'])) return 'no'
  if (hasMoreThanText(part)) return 'yes'
  if ('text' in part) return isRecord(part.text) ? 'no' : 'likely'
  return isOwnWithoutContent(part) ? 'maybe' : 'no'
}
