import { isRecord } from '../../../core/conversation.ts'
import type { RecordFields } from '../../record-format.ts'

/** The first record of a rollout, which describes it. */
export interface RolloutHeader {
  readonly piece: number
  /** The id of the thread. */
  readonly id: string
  readonly timestamp: string
  /** The name of an unknown history mode. */
  readonly strangeMode?: string
  /** Every record has a number, and others point into the file: nothing in it may move. */
  readonly isPaginated: boolean
  readonly firstOrdinal: number
  /** How much of the rollout that it was forked from belongs to it. */
  readonly base?: { readonly rollout: string; readonly endByte: number }
}

export function rolloutHeaderOf(
  { type, payload, timestamp: time }: RecordFields,
  piece: number,
): RolloutHeader | undefined {
  if (type !== 'session_meta' || !isRecord(payload) || typeof payload.id !== 'string') return undefined
  const base = payload.history_base
  const isPaginated = payload.history_mode === 'paginated'
  const mode = payload.history_mode ?? 'legacy'
  const strange = mode === 'legacy' || isPaginated ? {} : { strangeMode: String(mode) }
  const header = {
    ...strange,
    piece,
    id: payload.id,
    timestamp: typeof time === 'string' ? time : '',
    isPaginated,
    firstOrdinal: 0,
  }
  if (!isRecord(base) || typeof base.thread_id !== 'string') return header
  const endByte = Number(base.end_byte_offset)
  return {
    ...header,
    firstOrdinal: Number(base.end_ordinal_exclusive) || 0,
    base: { rollout: base.thread_id, endByte: Number.isFinite(endByte) ? endByte : 0 },
  }
}
