import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { EventStream } from './event-stream.ts'
import { type RunStream, runStream } from './run-stream.ts'

/** Responds with the events of a run, as a stream. */
export function respond(request: Request, run: RequestedRun): Response {
  const { options } = run
  const encoder = encoderFor(request.headers.get('accept'))
  const gone = new AbortController()
  const leave = (): void => {
    if (options.whenGone !== 'continue') gone.abort(new Error('the client went away'))
  }
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave, { once: true })
  const events = new EventStream({
    encoder,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    unreadBytes: options.unreadBytes ?? 64 * 1024 * 1024,
    unreadMs: options.unreadMs ?? 30_000,
    onError: error => notify(options.onError ?? warn, error),
    onGone: leave,
  })
  // Nothing is encoded before it is read.
  const body = new ReadableStream<Uint8Array>(events, { highWaterMark: 0 })
  void runStream({ ...run, gone: gone.signal, send: event => events.send(event) }).finally(() => {
    request.signal.removeEventListener('abort', leave)
    events.end()
  })
  return new Response(body, { headers: { ...headers, 'content-type': encoder.getContentType() } })
}

export type RequestedRun = Omit<RunStream, 'gone' | 'send'>

/** Proxies must not cache, transform or buffer the stream. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

/** Protocol buffers only if the client asks for them; otherwise server-sent events. */
const encoderFor = (accept: string | null): EventEncoder =>
  new EventEncoder(accept?.includes(AGUI_MEDIA_TYPE) ? { accept } : {})
