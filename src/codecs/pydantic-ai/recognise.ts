import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { isText, strongestEvidence } from '../shared/evidence.ts'

/** The kind of a message and the kinds of its parts, which have names of their own. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !Array.isArray(message.parts)) return 'no'
  const { kind, parts } = message
  if (kind !== 'request' && kind !== 'response') return 'no'
  return strongestEvidence(parts, 'maybe', inPart)
}

const inPart = ({ part_kind: kind }: Fields): Recognition => (isText(kind) ? 'yes' : kind === undefined ? 'no' : 'odd')
