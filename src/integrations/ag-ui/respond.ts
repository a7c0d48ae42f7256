import type { Event } from '@ag-ui/core'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { protocolOf } from './client-protocol.ts'
import { encoderFor } from './encode-events.ts'
import { EventStream } from './event-stream.ts'
import { type RunStream, runStream } from './run-stream.ts'

/** Responds with the events of a run, as a stream. */
export async function respond(request: Request, run: RequestedRun): Promise<Response> {
  const { options, input } = run
  const encoder = await encoderFor(request.headers.get('accept'))
  const protocol = protocolOf(input)
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
  const send = (event: Event): void => events.send(protocol.event(event))
  void runStream({ ...run, protocol, gone: gone.signal, send }).finally(() => {
    request.signal.removeEventListener('abort', leave)
    events.end()
  })
  return new Response(body, { headers: { ...headers, 'content-type': encoder.contentType } })
}

export type RequestedRun = Omit<RunStream, 'protocol' | 'gone' | 'send'>

/** Proxies must not cache, transform or buffer the stream. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }
