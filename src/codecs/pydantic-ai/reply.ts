import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf } from '../shared/finish.ts'
import { type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, splitSendable } from '../shared/split-sendable.ts'
import { inputOf, readResponsePart } from './decode.ts'

/** Reads a response of the model, as it is stored. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || response.kind !== 'response' || !Array.isArray(response.parts)) return undefined
  const { parts, ...around } = response
  return toReply(parts.filter(isRecord), response.finish_reason, around)
}

/** The reply with these parts, if it ended for this reason. */
export function toReply(parts: readonly Fields[], reason: unknown, around: Fields): Reply {
  const finish = finishOf(reason)
  const { kept, left } = splitSendable(parts, finish, reader)
  const about: ReplyMetadata = { id: around.provider_response_id, model: around.model_name, usage: around.usage }
  return replyOf(finish, responseOf(kept, around), responseOf(left, around), about)
}

const responseOf = (parts: unknown[], around: Fields): unknown[] =>
  parts.length > 0 ? [{ ...around, parts, kind: 'response' }] : []

const reader: PartReader = {
  kindOf: part => partKind(part as Fields),
  bare: part => part,
}

function partKind(raw: Fields): PartKind {
  const part = readResponsePart(raw)
  if (part.kind === 'call') return isRecord(inputOf(raw.args)) ? 'call' : 'incomplete-call'
  if (part.kind === 'reasoning') return 'reasoning'
  if (part.kind !== 'text') return 'other'
  return hasWords(part.text) ? 'text' : 'blank'
}
