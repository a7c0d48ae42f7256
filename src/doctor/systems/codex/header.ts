import { isRecord } from '../../../core/conversation.ts'
import type { Json } from './fact.ts'

/** What the first record of a rollout says of it. */
export interface Header {
  readonly piece: number
  /** The id of the thread. */
  readonly id: string
  readonly timestamp: string
  /** How its history is written, if that is not known. */
  readonly strangeMode?: string
  /** Every record has a number, and others point into the file: nothing in it may move. */
  readonly isPaginated: boolean
  readonly firstOrdinal: number
  /** Up to where the rollout that it was forked from is part of it. */
  readonly base?: { readonly rollout: string; readonly endByte: number }
}

export function headerOf({ type, payload, timestamp: time }: Json, piece: number): Header | undefined {
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
