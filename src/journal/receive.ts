import { type CodecId, codecs } from '../codecs/index.ts'
import { replies } from '../codecs/shared/replies.ts'
import type { Reply, ReplyDelta } from '../codecs/shared/reply.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import { depthMax, isTooDeep } from '../core/json/nesting.ts'
import { packBytes } from './bytes.ts'
import { aborted, untilAborted } from './clock.ts'
import type { RecordedResponse } from './decide.ts'
import type { RecordedCall } from './entry.ts'
import { assertTarget, decodeAnsweredCalls, type RenderTarget } from './render/render.ts'

/** A received reply, and the error that cut it off. */
export interface ReceivedReply {
  readonly format: CodecId
  readonly reply: Reply
  /** Why the stream broke off. */
  readonly error?: unknown
}

export interface ReceiveOptions {
  /** The expected format. Other formats are recognised too. */
  readonly format: CodecId
  readonly signal: AbortSignal
  readonly onDelta?: (delta: ReplyDelta) => void
}

/** Reads the return value of a model function: a whole response in any format, or a stream of chunks, which is read to its end. */
export async function receiveReply(response: unknown, options: ReceiveOptions): Promise<ReceivedReply> {
  assertTarget({ format: options.format })
  const stream = streamOf(response)
  return stream ? receiveStream(stream, options) : receiveWhole(response, options.format)
}

/** The provider and model that answered, if they are not those of the thread. */
export interface AnsweredBy {
  readonly for?: DialectId
  readonly model?: string
}

export interface RecordOptions extends AnsweredBy {
  /** The format of the response, if it is not the format of the thread. */
  readonly format?: CodecId
  /** What the messages are rendered for, if it is not the provider of the thread. */
  readonly target?: RenderTarget
  /** Called with each piece of a streamed response. */
  readonly onDelta?: (delta: ReplyDelta) => void
  /**
   * What happens if a stream breaks off: its text is recorded and the turn ends as failed (`fail`, the default), its text is recorded and the turn goes
   * on (`continue`), or nothing is recorded and the turn goes on (`retry`). The error is thrown, except with `continue` if there was text.
   */
  readonly onCut?: 'fail' | 'continue' | 'retry'
  /** The model will be asked again after a failure: nothing is recorded of a response that failed before it had any content. */
  readonly isRetried?: boolean
}

export interface AskOptions extends RecordOptions {
  /**
   * Called if the provider rejects the messages as too long. If it shortens the history and returns true, the history is sent once more as it is
   * then; otherwise old results are cleared.
   */
  readonly onTooLong?: () => Promise<boolean>
}

/** The response to record: everything that the provider accepts back, and which provider and model produced it. */
export function responseOf(
  { reply, format }: ReceivedReply,
  target: RenderTarget,
  answeredBy: AnsweredBy,
): RecordedResponse {
  if (isTooDeep(reply)) throw notAResponse(`the response is nested deeper than ${depthMax} levels`)
  const name = answeredBy.model ?? target.model
  const model = reply.model ?? name
  return {
    format,
    dialect: answeredBy.for ?? (format === target.format ? target.dialect : codecs[format].home),
    finish: reply.finish,
    messages: packBytes(reply.messages) as unknown[],
    calls: recordedCalls(format, reply.messages),
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

function receiveWhole(response: unknown, expected: CodecId): ReceivedReply {
  for (const format of inOrder(expected)) {
    const reply = replies[format].read(response)
    if (reply) return { format, reply }
  }
  throw notAResponse(`the model function did not return a response in ${expected} or any other known format`)
}

/** When the signal is aborted the stream is no longer read, and the reply so far counts as cut. */
async function receiveStream(
  stream: AsyncIterable<unknown>,
  { format: expected, signal, onDelta }: ReceiveOptions,
): Promise<ReceivedReply> {
  const iterator = stream[Symbol.asyncIterator]()
  let format = expected
  let fold = replies[expected].fold()
  let isFirst = true
  let error: unknown
  try {
    for (;;) {
      const next = await untilAborted(signal, Promise.resolve(iterator.next()))
      if (next === aborted || next.done) break
      if (isFirst) {
        format = inOrder(expected).find(id => replies[id].recognises(next.value)) ?? expected
        if (format !== expected) fold = replies[format].fold()
        isFirst = false
      }
      for (const delta of fold.push(next.value)) onDelta?.(delta)
      if (fold.failure !== undefined) break
    }
  } catch (thrown) {
    error = thrown
  }
  // The stream is closed, but that is not awaited: it may never answer.
  void Promise.resolve(iterator.return?.()).catch(() => {})
  const reply = fold.end()
  const failure = error ?? fold.failure ?? (reply.finish === 'cut' ? signal.reason : undefined)
  return { format, reply, ...(failure === undefined ? {} : { error: failure }) }
}

/** The chunks of a response: it is a stream itself, or has one as `stream` or `fullStream`. */
function streamOf(response: unknown): AsyncIterable<unknown> | undefined {
  if (isStream(response)) return response
  if (typeof response !== 'object' || response === null) return undefined
  const { fullStream, stream } = response as { fullStream?: unknown; stream?: unknown }
  return [fullStream, stream].find(isStream)
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const inOrder = (first: CodecId): CodecId[] => [first, ...ids.filter(id => id !== first)]

const ids = Object.keys(replies) as CodecId[]

const notAResponse = (message: string): AntiphonError =>
  new AntiphonError('not-a-response', message, {
    hint: `return the response of the SDK unchanged, whole or as a stream; known formats: ${ids.join(', ')}`,
  })

const recordedCalls = (format: CodecId, messages: readonly unknown[]): RecordedCall[] =>
  decodeAnsweredCalls(format, messages).map(({ part: { id, name }, isAnswered }) => ({
    ...{ id, name },
    ...(isAnswered ? { answered: true as const } : {}),
  }))
