import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { utf8Length } from '../bytes.ts'
import type { StreamId } from './streamed-response.ts'
import { textBytesMax } from './transport.ts'

/** A piece of a response: deltas from an offset. Without deltas it only announces that a response streams. */
export interface ResponsePiece extends StreamId {
  readonly after: number
  readonly offset: number
  readonly deltas: readonly ReplyDelta[]
}

/** What processes tell each other. */
export type LiveNews =
  | { readonly kind: 'piece'; readonly piece: ResponsePiece }
  /** A piece that is encrypted with the key of its thread. */
  | { readonly kind: 'sealed'; readonly piece: string }
  /** A reader asks for a response, from an offset if it has a part. */
  | { readonly kind: 'ask'; readonly have?: StreamId & { readonly offset: number } }
  /** The thread has entries up to this one. Without it, something else has changed. */
  | { readonly kind: 'head'; readonly head?: number }
  /** A thread has something to do; `at` is when. */
  | { readonly kind: 'due'; readonly at?: number }

/** `from` is the process that sends it. */
export type LiveMessage = LiveNews & { readonly from: string }

/** Undefined for a text of another release or program. */
export function readMessage(text: string): LiveMessage | undefined {
  const value = tryParseJson(text)
  const { from, kind, piece, have, head, at } = Object(value) as Record<string, unknown>
  if (typeof from !== 'string') return undefined
  if (kind === 'piece' && isPiece(piece)) return { from, kind, piece }
  if (kind === 'sealed' && typeof piece === 'string') return { from, kind, piece }
  if (kind === 'ask' && have === undefined) return { from, kind }
  if (kind === 'ask' && isStream(have) && isCount((have as { offset?: unknown }).offset))
    return { from, kind, have: have as StreamId & { offset: number } }
  if (kind === 'head') return { from, kind, ...(isCount(head) && { head }) }
  if (kind === 'due') return { from, kind, ...(isCount(at) && { at }) }
  return undefined
}

export function isPiece(value: unknown): value is ResponsePiece {
  const { after, offset, deltas } = Object(value) as Record<string, unknown>
  return isStream(value) && isCount(after) && isCount(offset) && Array.isArray(deltas) && deltas.every(isDelta)
}

const isStream = (value: unknown): value is StreamId => {
  const { epoch, stream } = Object(value) as Record<string, unknown>
  return isCount(epoch) && isCount(stream)
}

function isDelta(value: unknown): value is ReplyDelta {
  const { kind, text, id, name, index } = Object(value) as Record<string, unknown>
  if (kind === 'call') return typeof id === 'string' && typeof name === 'string' && isCount(index)
  return typeof text === 'string' && (kind === 'text' || kind === 'reasoning' || (kind === 'input' && isCount(index)))
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Lists deltas in groups, each small enough for one text, also if it is encrypted and written as base64. */
export function* inGroups(deltas: readonly ReplyDelta[]): Generator<ReplyDelta[]> {
  let group: ReplyDelta[] = []
  let bytes = 0
  for (const delta of deltas.flatMap(small)) {
    const size = utf8Length(JSON.stringify(delta))
    if (group.length > 0 && bytes + size > groupBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(delta)
    bytes += size + 1
  }
  if (group.length > 0) yield group
}

/** A delta in pieces: a character takes at most 6 bytes in JSON. A surrogate pair may be divided, since both halves arrive. */
function small(delta: ReplyDelta): ReplyDelta[] {
  if (delta.kind === 'call' || 6 * delta.text.length <= groupBytes) return [delta]
  const length = Math.floor(groupBytes / 6)
  const starts = Array.from({ length: Math.ceil(delta.text.length / length) }, (_, index) => index * length)
  return starts.map(start => ({ ...delta, text: delta.text.slice(start, start + length) }))
}

/** Base64 takes a third more, and the rest of the message some bytes. */
const groupBytes = Math.floor((textBytesMax - 400) * 0.75) - 100
