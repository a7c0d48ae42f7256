import type { Event } from '@ag-ui/core'
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { type RunStream, runStream } from './run-stream.ts'

/** Answers a request with the events of its run, as they come. */
export function respond(request: Request, asked: Asked): Response {
  const { options } = asked
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
      // A client that gets one event less is told everything again by the next snapshot.
      const send = (event: Event): void => {
        try {
          write(encoder.encodeBinary(event))
        } catch (error) {
          notify(options.onError ?? warn, error)
        }
      }
      void runStream({ ...asked, gone: gone.signal, send }).finally(() => {
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

export type Asked = Omit<RunStream, 'gone' | 'send'>

/** Nothing on the way may keep it, change it, or wait for more of it. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

/** Bytes only for those who name them: whoever takes anything gets text, which anybody can read. */
const encoderFor = (accept: string | null): EventEncoder =>
  new EventEncoder(accept?.includes(AGUI_MEDIA_TYPE) ? { accept } : {})

const comment = new TextEncoder().encode(': keep-alive\n\n')
