import { AntiphonError } from '../../core/errors.ts'
import type { Chunk } from './chunk.ts'

/** The chunks as the server-sent events that `useChat` reads. An error becomes the last event. */
export function chatResponse(
  chunks: AsyncGenerator<Chunk>,
  { onError, onCancel }: { onError: (error: unknown) => void; onCancel: () => void },
): Response {
  const encoder = new TextEncoder()
  const write = (data: string): Uint8Array => encoder.encode(`data: ${data}\n\n`)
  let alive: ReturnType<typeof setInterval> | undefined
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Only while the client waits: a slow client gets no extra comments.
      alive = setInterval(() => controller.enqueue(encoder.encode(':\n\n')), keepAliveMs)
      const next = await chunks.next().catch((error: unknown) => {
        onError(error)
        return { value: { type: 'error', errorText: 'An error occurred.' }, done: true } as const
      })
      clearInterval(alive)
      if (isLeft) return
      if (next.value) controller.enqueue(write(JSON.stringify(next.value)))
      if (!next.done) return
      controller.enqueue(write('[DONE]'))
      controller.close()
    },
    cancel() {
      isLeft = true
      clearInterval(alive)
      onCancel()
      // It may be idle between two chunks, and would not notice otherwise that the client has disconnected.
      chunks.return(undefined).catch(onError)
    },
  })
  return new Response(body, { headers })
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
  'unknown-input': 409,
  'nothing-waiting': 409,
}
