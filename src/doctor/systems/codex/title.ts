import { isRecord } from '../../../core/conversation.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import type { RecordFields } from '../../record-format.ts'
import { titleFrom } from '../../titles/title-text.ts'
import { type RolloutHeader, rolloutHeaderOf } from './header.ts'
import { headerMax } from './lineage.ts'
import { rolloutPieces } from './recover-records.ts'

/** What the beginning of a rollout says of it. */
export interface RolloutBeginning {
  readonly header: RolloutHeader | undefined
  /** The first user message, by which users know a session. */
  readonly title: string | undefined
}

/** Reads both in one go. Only records that may be one of them are parsed. */
export function beginningOf(lines: Iterable<RawLine>): RolloutBeginning {
  let header: RolloutHeader | undefined
  let title: string | undefined
  let at = 0
  for (const line of lines) {
    const mayHaveTitle = at < titleMax && line.bytes.includes(eventType)
    if (!header || mayHaveTitle) {
      for (const { value } of rolloutPieces([line], 'turns')) {
        header ??= value && rolloutHeaderOf(value, at)
        title ??= mayHaveTitle && value ? titleIn(value) : undefined
      }
    }
    at++
    if (header ? title !== undefined || at >= titleMax : at > headerMax) break
  }
  return { header, title }
}

function titleIn({ type, payload }: RecordFields): string | undefined {
  if (type !== 'event_msg' || !isRecord(payload) || payload.type !== eventType) return undefined
  return titleFrom(payload.message)
}

const eventType = 'user_message'
const titleMax = 60
