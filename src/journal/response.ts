import { type CodecId, codecs } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { packBytes } from './bytes.ts'
import type { RecordedResponse } from './decide.ts'
import type { RecordedCall } from './entry.ts'
import type { ReceivedReply } from './receive.ts'
import { decodeAnsweredCalls, type RenderTarget } from './render/render.ts'

/** The provider and model that answered, if they are not those of the thread. */
export interface AnsweredBy {
  readonly for?: DialectId
  readonly model?: string
}

/** The response to record: everything that the provider accepts back, and which provider and model produced it. */
export function responseOf(
  { reply, format }: ReceivedReply,
  target: RenderTarget,
  answeredBy: AnsweredBy,
): RecordedResponse {
  const name = answeredBy.model ?? target.model
  const model = reply.model ?? name
  return {
    format,
    dialect: answeredBy.for ?? (format === target.format ? target.dialect : codecs[format].home),
    finish: reply.finish,
    messages: packBytes(reply.messages) as unknown[],
    calls: callsOf(format, reply.messages),
    ...(model === undefined ? {} : { model }),
    ...(name === undefined ? {} : { asked: name }),
    ...(reply.left && { left: packBytes(reply.left) as unknown[] }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
  }
}

/** Whether the response has text after its last result, so that the model has seen the result. */
export function endsWithMessage({ reply, format }: ReceivedReply): boolean {
  const { messages } = codecs[format].decode(reply.messages)
  const last = messages.findLastIndex(({ parts }) => parts.some(({ kind }) => kind === 'result'))
  return messages
    .slice(last + 1)
    .some(({ parts }) => parts.some(part => part.kind === 'other' || (part.kind === 'text' && part.text.trim() !== '')))
}

const callsOf = (format: CodecId, messages: readonly unknown[]): RecordedCall[] =>
  decodeAnsweredCalls(format, messages).map(({ part: { id, name }, isAnswered }) => ({
    ...{ id, name },
    ...(isAnswered ? { answered: true as const } : {}),
  }))
