import { type CodecId, codecs } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { packBytes } from './bytes.ts'
import type { Response } from './decide.ts'
import type { RecordedCall } from './entry.ts'
import type { Received } from './receive.ts'
import { answeredCalls, type Reader } from './render/render.ts'

/** Who was asked, as far as it is not the thread's reader. */
export interface Asked {
  readonly for?: DialectId
  readonly model?: string
}

/** What is kept of a reply: all that its provider takes back, and who has said it. */
export function responseOf({ reply, format }: Received, reader: Reader, asked: Asked): Response {
  const name = asked.model ?? reader.model
  const model = reply.model ?? name
  return {
    format,
    dialect: asked.for ?? (format === reader.format ? reader.dialect : codecs[format].home),
    finish: reply.finish,
    messages: packBytes(reply.messages) as unknown[],
    calls: callsOf(format, reply.messages),
    ...(model === undefined ? {} : { model }),
    ...(name === undefined ? {} : { asked: name }),
    ...(reply.left && { left: packBytes(reply.left) as unknown[] }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
  }
}

/** Whether the model has said something behind the last result that came along, and so has seen it. */
export function speaksLast({ reply, format }: Received): boolean {
  const { messages } = codecs[format].decode(reply.messages)
  const last = messages.findLastIndex(({ parts }) => parts.some(({ kind }) => kind === 'result'))
  return messages
    .slice(last + 1)
    .some(({ parts }) => parts.some(part => part.kind === 'other' || (part.kind === 'text' && part.text.trim() !== '')))
}

const callsOf = (format: CodecId, messages: readonly unknown[]): RecordedCall[] =>
  answeredCalls(format, messages).map(({ part: { id, name }, isAnswered }) => ({
    ...{ id, name },
    ...(isAnswered ? { answered: true as const } : {}),
  }))
