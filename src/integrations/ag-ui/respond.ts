import type { Event } from '@ag-ui/core'
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { type RunStream, runStream } from './run-stream.ts'

/** Responds with the events of a run, as a stream. */
export function respond(request: Request, run: RequestedRun): Response {
  const { options } = run
  const encoder = encoderFor(request.headers.get('accept'))
  const contentType = encoder.getContentType()
  const gone = new AbortController()
  const leave = (): void => {
    if (options.whenGone !== 'continue') gone.abort(new Error('the client went away'))
  }
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave, { once: true })
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (bytes: Uint8Array): void => {
        if (isOpen) controller.enqueue(bytes)
      }
      const isText = contentType === 'text/event-stream'
      const keepAlive = isText ? setInterval(() => write(comment), options.keepAliveMs ?? 15_000) : undefined
      // If an event cannot be encoded, the next snapshot makes up for it.
      const send = (event: Event): void => {
        try {
          write(encoder.encodeBinary(event))
        } catch (error) {
          notify(options.onError ?? warn, error)
        }
      }
      void runStream({ ...run, gone: gone.signal, send }).finally(() => {
        clearInterval(keepAlive)
        request.signal.removeEventListener('abort', leave)
        if (isOpen) controller.close()
        isOpen = false
      })
    },
    cancel() {
      isOpen = false
      leave()
    },
  })
  return new Response(body, { headers: { ...headers, 'content-type': contentType } })
}

export type RequestedRun = Omit<RunStream, 'gone' | 'send'>

/** Proxies must not cache, transform or buffer the stream. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

/** Protocol buffers only if the client asks for them; otherwise server-sent events. */
const encoderFor = (accept: string | null): EventEncoder =>
  new EventEncoder(accept?.includes(AGUI_MEDIA_TYPE) ? { accept } : {})

const comment = new TextEncoder().encode(': keep-alive\n\n')
