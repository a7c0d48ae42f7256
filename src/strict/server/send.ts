import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { constants, type Http2ServerResponse } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outgoing } from './outgoing.ts'

/** A response of either kind: what is used here, HTTP/2 has as well. */
export type Response = ServerResponse | (ServerResponse & Pick<Http2ServerResponse, 'stream'>)

/** Sends what goes back, and lets go wrong what is to go wrong. It stops when the client leaves or the signal fires. */
export async function send(response: Response, out: Outgoing, signal: AbortSignal): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  response.on('error', () => left.abort())
  if (response.closed) left.abort()
  const over = AbortSignal.any([signal, left.signal])
  const isOver = once(over, 'abort')
  const { fault } = out
  const pause = async () => {
    if (fault?.kind === 'slow') await sleep(fault.ms, undefined, { signal: over }).catch(() => {})
  }
  await pause()
  if (over.aborted) return
  response.writeHead(out.status, { ...open, ...out.headers })
  for (const chunk of fault?.kind === 'cut' ? firstHalf(out.chunks) : out.chunks) {
    await pause()
    // A cut stream loses only what it should: its bytes are out before it ends.
    if (!over.aborted)
      await Promise.race([isOver, new Promise<void>(resolve => response.write(chunk, () => resolve()))])
    if (over.aborted) return
  }
  if (fault?.kind === 'cut') hangUp(response)
  else response.end()
}

/** A browser may ask as well. */
export const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

/** The chunks up to half of the bytes. */
function firstHalf(chunks: Uint8Array[]): Uint8Array[] {
  const bytes = Buffer.concat(chunks)
  return [bytes.subarray(0, Math.ceil(bytes.length / 2))]
}

/** In HTTP/2 a connection that closes looks like an end to some clients; a stream that is reset does not. */
function hangUp(response: Response): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  else response.socket?.destroy()
}
