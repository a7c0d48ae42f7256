import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf, isMalformed } from '../shared/finish.ts'
import { type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, splitSendable } from '../shared/split-sendable.ts'
import { decodePart } from './decode.ts'
import { fieldValue, keys } from './keys.ts'

/** Reads a response: its first candidate is the answer. A blocked prompt has no answer. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !isResponse(response)) return undefined
  const candidate = firstCandidate(response)
  return toReply(partsOf(candidate), endOf(response, candidate) ?? 'STOP', replyMetadataOf(response))
}

const isResponse = ({ candidates, promptFeedback }: Fields): boolean =>
  Array.isArray(candidates) ? candidates.length > 0 || isBlocked(promptFeedback) : isBlocked(promptFeedback)

const isBlocked = (feedback: unknown): boolean => isRecord(feedback) && typeof feedback.blockReason === 'string'

export function firstCandidate({ candidates }: Fields): Fields {
  const [first] = Array.isArray(candidates) ? candidates : []
  return isRecord(first) ? first : {}
}

/** Copies, so that nothing of a class is in them. */
export const partsOf = ({ content }: Fields): Fields[] =>
  isRecord(content) && Array.isArray(content.parts) ? content.parts.filter(isRecord).map(part => ({ ...part })) : []

/** The reason to stop, if there is one: a prompt that was blocked is one too. */
export const endOf = ({ promptFeedback }: Fields, { finishReason }: Fields): unknown =>
  isBlocked(promptFeedback) ? 'SAFETY' : finishReason

export const replyMetadataOf = ({ responseId, modelVersion, usageMetadata }: Fields): ReplyMetadata => ({
  id: responseId,
  model: modelVersion,
  usage: usageMetadata,
})

/** The reply with these parts, if it ended for this reason. */
export function toReply(parts: readonly Fields[], reason: unknown, about: ReplyMetadata): Reply {
  const finish = finishOf(reason)
  const { kept, left } = splitSendable(parts, finish, reader, isMalformed(reason))
  return replyOf(finish, turnOf(kept), turnOf(left), about)
}

const turnOf = (parts: unknown[]): unknown[] => (parts.length > 0 ? [{ role: 'model', parts }] : [])

const reader: PartReader = {
  kindOf: part => partKind(part as Fields),
  bare: part => ({ text: (part as Fields).text }),
  mayEndInReasoning: true,
}

/** Calls arrive whole, except those with streamed arguments. */
function partKind(part: Fields): PartKind {
  const call = fieldValue(part, keys.call)
  if (isRecord(call)) return isOpen(call) ? 'incomplete-call' : 'call'
  const read = decodePart(part)
  if (read.kind === 'reasoning') return 'reasoning'
  if (read.kind !== 'text') return 'other'
  return hasWords(read.text) ? 'text' : 'blank'
}

const isOpen = ({ willContinue, args }: Fields): boolean => willContinue === true || !isRecord(args ?? {})
