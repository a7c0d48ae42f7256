import { isRecord } from '../../../core/conversation.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import { titleFrom } from '../../titles/title-text.ts'
import { rolloutPieces } from './recover-records.ts'

/** The first user message, by which users know a session. It is near the beginning. */
export function titleOf(lines: Iterable<RawLine>): string | undefined {
  let left = recordsMax
  for (const { value } of rolloutPieces(lines, 'turns')) {
    const words = value && wordsOf(value)
    if (words !== undefined || left-- === 0) return words
  }
  return undefined
}

function wordsOf({ type, payload }: Readonly<Record<string, unknown>>): string | undefined {
  if (type !== 'event_msg' || !isRecord(payload) || payload.type !== 'user_message') return undefined
  return titleFrom(payload.message)
}

const recordsMax = 60
