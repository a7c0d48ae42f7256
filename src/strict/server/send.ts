import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { constants, type Http2ServerResponse } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerAnswer } from './outgoing.ts'

/** A response of either kind: HTTP/2 has everything that is used here as well. */
export type AnyResponse = ServerResponse | (ServerResponse & Pick<Http2ServerResponse, 'stream'>)

/** Sends an answer, with the failure to simulate. Stops when the client disconnects or the signal aborts. */
export async function sendAnswer(response: AnyResponse, out: ServerAnswer, signal: AbortSignal): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  response.on('error', () => left.abort())
  if (response.closed) left.abort()
  const over = AbortSignal.any([signal, left.signal])
  const isOver = once(over, 'abort')
  const { mode } = out
  const pause = async () => {
    if (mode?.kind === 'slow') await sleep(mode.ms, undefined, { signal: over }).catch(() => {})
  }
  await pause()
  if (over.aborted) return
  response.writeHead(out.status, { ...corsHeaders, ...out.headers })
  for (const chunk of mode?.kind === 'cut' ? firstHalf(out.chunks) : out.chunks) {
    await pause()
    // A cut stream loses only what it should: its bytes are flushed before it ends.
    if (!over.aborted)
      await Promise.race([isOver, new Promise<void>(resolve => response.write(chunk, () => resolve()))])
    if (over.aborted) return
  }
  if (mode?.kind === 'cut') hangUp(response)
  else response.end()
}

/** Browsers may send requests as well. */
export const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

/** The first half of the bytes. */
function firstHalf(chunks: Uint8Array[]): Uint8Array[] {
  const bytes = Buffer.concat(chunks)
  return [bytes.subarray(0, Math.ceil(bytes.length / 2))]
}

/** In HTTP/2 some clients read a closed connection as the end; a stream that is reset is an error. */
function hangUp(response: AnyResponse): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else response.socket?.destroy()
}
