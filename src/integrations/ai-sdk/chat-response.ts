import { AntiphonError } from '../../core/errors.ts'
import { timerDelay } from '../../core/timer-delay.ts'
import type { Chunk } from './chunk.ts'

export interface ChatResponseOptions {
  readonly onError: (error: unknown) => void
  /** Called when the client has disconnected, or was given up because it does not read. */
  readonly onCancel: () => void
  /** How long a chunk may wait without being read. */
  readonly unreadMs: number
}

/**
 * The chunks as the server-sent events that `useChat` reads. An error becomes the last event. A chunk is made only when the one before
 * it was read, and a stream that is not read for too long ends: until then it keeps what it has yet to send.
 */
export function chatResponse(
  chunks: AsyncGenerator<Chunk>,
  { onError, onCancel, unreadMs }: ChatResponseOptions,
): Response {
  const encoder = new TextEncoder()
  const write = (data: string): Uint8Array => encoder.encode(`data: ${data}\n\n`)
  let alive: ReturnType<typeof setInterval> | undefined
  let unread: ReturnType<typeof setTimeout> | undefined
  let isLeft = false
  const leave = (): void => {
    if (isLeft) return
    isLeft = true
    clearInterval(alive)
    clearTimeout(unread)
    onCancel()
    // It may be idle between two chunks, and would not notice otherwise that the client has disconnected.
    chunks.return(undefined).catch(onError)
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(unread)
      // Only while the client waits: a slow client gets no extra comments.
      alive = setInterval(() => controller.enqueue(encoder.encode(':\n\n')), keepAliveMs)
      const next = await nextText(chunks).catch((error: unknown) => {
        onError(error)
        chunks.return(undefined).catch(onError)
        return { text: JSON.stringify({ type: 'error', errorText: 'An error occurred.' }), done: true }
      })
      clearInterval(alive)
      if (isLeft) return
      if (next.text !== undefined) controller.enqueue(write(next.text))
      if (next.done) {
        controller.enqueue(write('[DONE]'))
        return controller.close()
      }
      unread = setTimeout(() => {
        controller.enqueue(write(JSON.stringify(unreadChunk)))
        controller.close()
        leave()
      }, timerDelay(unreadMs))
      // In Node, the timer alone does not keep the process alive.
      ;(unread as { unref?: () => void }).unref?.()
    },
    cancel: leave,
  })
  return new Response(body, { headers })
}

async function nextText(chunks: AsyncGenerator<Chunk>): Promise<{ text?: string; done: boolean }> {
  const { value, done = false } = await chunks.next()
  return { ...(value && { text: JSON.stringify(value) }), done }
}

const unreadChunk = {
  type: 'error',
  errorText: 'The client did not read its answer in time. What was recorded can be loaded again.',
}

/** Proxies close an idle connection, and a tool may take long. */
const keepAliveMs = 15_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
}

/** The error for the client. Details are included only if the request itself was wrong. */
export function problemResponse(error: unknown): Response {
  const status = AntiphonError.is(error) ? statuses[error.code] : undefined
  if (!AntiphonError.is(error) || status === undefined)
    return Response.json({ error: { code: 'internal', message: 'An error occurred.' } }, { status: 500 })
  const { code, message, hint } = error
  return Response.json({ error: { code, message, ...(hint === undefined ? {} : { hint }) } }, { status })
}

const statuses: Readonly<Record<string, number | undefined>> = {
  'bad-request': 400,
  'invalid-name': 400,
  'invalid-input': 400,
  'key-taken': 409,
  'thread-busy': 409,
  'thread-erased': 410,
  'unknown-branch': 404,
  'unknown-thread': 404,
  'unknown-input': 409,
  'nothing-waiting': 409,
}
