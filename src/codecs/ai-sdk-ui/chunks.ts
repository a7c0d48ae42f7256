import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf } from '../shared/finish.ts'
import type { Replies, Reply, ReplyDelta, ReplyFold } from '../shared/reply.ts'
import { Metadata } from './metadata.ts'
import { PartsFold } from './parts-fold.ts'
import { read, toReply } from './reply.ts'

const marks = new Set<unknown>(['start', 'finish', 'abort', 'reset-step', 'message-metadata'])
const parts = new Set<unknown>(['text-start', 'text-end', 'reasoning-start', 'reasoning-end'])

/** The stream of the library itself has parts of the same names with other fields. */
function recognises(chunk: unknown): boolean {
  if (!isRecord(chunk) || typeof chunk.type !== 'string') return false
  const { type } = chunk
  if (type === 'text-delta' || type === 'reasoning-delta') return typeof chunk.delta === 'string'
  if (/^(tool-input|tool-output|tool-approval)-/.test(type)) return !('toolCall' in chunk) && isCalled(chunk)
  if (type === 'start-step') return !('request' in chunk)
  if (type === 'finish-step') return !('usage' in chunk)
  return marks.has(type) || parts.has(type) || /^(data|source)-/.test(type)
}

const isCalled = ({ toolCallId, approvalId }: Fields): boolean =>
  typeof toolCallId === 'string' || typeof approvalId === 'string'

const fold = (): ReplyFold => new UiFold()

export const replies: Replies = { read, recognises, fold }

/** One assistant message, whose parts are added and changed by chunks. */
class UiFold implements ReplyFold {
  failure: unknown
  readonly #parts = new PartsFold()
  #id = ''
  readonly #metadata = new Metadata()
  #reason: unknown
  #isOver = false
  #isAborted = false

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk) || typeof chunk.type !== 'string') return []
    this.#metadata.add(chunk.messageMetadata)
    switch (chunk.type) {
      case 'start':
        if (typeof chunk.messageId === 'string') this.#id = chunk.messageId
        return []
      case 'finish':
        this.#isOver = true
        this.#reason = chunk.finishReason
        return []
      case 'abort':
        this.#isAborted = true
        return []
      case 'error':
        this.failure ??= chunk.errorText ?? chunk
        return []
    }
    return this.#parts.push(chunk, chunk.type)
  }

  end(): Reply {
    const isWhole = this.#isOver && !this.#isAborted && this.failure === undefined
    const { parts, done } = this.#parts.written
    const { value: metadata } = this.#metadata
    const known = metadata === undefined ? {} : { metadata }
    const message = { id: this.#id, ...known, role: 'assistant', parts }
    return toReply(message, isWhole ? finishOf(this.#reason) : 'cut', done)
  }
}
