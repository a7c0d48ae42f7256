import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ChunkList } from './chunk-list.ts'

/**
 * Calls `done` with the whole body, or once with the beginning of a body that is too long; the rest is then left to it. Does
 * not call it for a body that is cut off.
 */
export function receiveBody(
  request: IncomingMessage,
  bytesMax: number,
  onChunk: (chunk: Buffer) => void,
  done: (body: Buffer[], isTooLong: boolean) => void,
): void {
  const body = new ChunkList()
  let bytes = 0
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    body.push(chunk)
    if (bytes <= bytesMax) {
      onChunk(chunk)
      return
    }
    request.off('data', take).off('end', whole)
    done(body.chunks, true)
  }
  const whole = (): void => done(body.chunks, false)
  request.on('data', take).on('end', whole)
}

/**
 * The body as a separate stream, after what was already read of it. Destroying it does not close the client's connection:
 * what the client still sends is discarded, so that an error can be sent.
 */
export function bodyStream(request: IncomingMessage, beginning: readonly Buffer[] = []): Readable {
  const take = (chunk: Buffer): void => {
    if (!stream.push(chunk)) request.pause()
  }
  const whole = (): void => {
    stream.push(null)
  }
  const cut = (): void => {
    if (!request.complete) stream.destroy(new Error('the client disconnected'))
  }
  const stream = new Readable({
    read: () => {
      request.resume()
    },
    destroy(error, done) {
      request.off('data', take).off('end', whole).off('close', cut)
      request.resume()
      done(error)
    },
  })
  for (const chunk of beginning) take(chunk)
  request.on('data', take).on('end', whole).on('close', cut)
  return stream
}

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
