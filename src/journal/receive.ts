import type { CodecId } from '../codecs/index.ts'
import { replies } from '../codecs/shared/replies.ts'
import type { Reply, ReplyDelta } from '../codecs/shared/reply.ts'
import { AntiphonError } from '../core/errors.ts'
import { aborted, untilAborted } from './until-aborted.ts'

/** A reply as it came in, and what went wrong on the way. */
export interface Received {
  readonly format: CodecId
  readonly reply: Reply
  /** Why the stream broke off. */
  readonly error?: unknown
}

export interface ReceiveOptions {
  /** The wire that is expected; others are recognised. */
  readonly format: CodecId
  readonly signal: AbortSignal
  readonly onDelta?: (delta: ReplyDelta) => void
}

/** Takes in what a model function gave: a whole response of any wire, or a stream of its chunks, which is read to its end. */
export async function receive(response: unknown, options: ReceiveOptions): Promise<Received> {
  const stream = streamOf(response)
  return stream ? receiveStream(stream, options) : receiveWhole(response, options.format)
}

function receiveWhole(response: unknown, expected: CodecId): Received {
  for (const format of inOrder(expected)) {
    const reply = replies[format].read(response)
    if (reply) return { format, reply }
  }
  throw notAResponse(`it is no response that ${expected} or any other wire knows`)
}

/** When the signal is aborted the stream is left alone, and what has come so far counts as cut. */
async function receiveStream(
  stream: AsyncIterable<unknown>,
  { format: expected, signal, onDelta }: ReceiveOptions,
): Promise<Received> {
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
  // A stream that was left is told so, but nobody waits for what it says: it may never answer.
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
    hint: `give back what the SDK gave, whole or as a stream; known are ${ids.join(', ')}`,
  })
