import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Hears of the whole body, or once that it is too long: then the rest is read past. Of one that is cut off nothing is heard. */
export function receive(
  request: IncomingMessage,
  bytesMax: number,
  hear: (chunk: Buffer) => void,
  done: (body: Buffer[] | 'too-long') => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    if (bytes > bytesMax) return
    bytes += chunk.length
    if (bytes > bytesMax) {
      chunks.length = 0
      done('too-long')
    } else {
      chunks.push(chunk)
      hear(chunk)
    }
  })
  request.on('end', () => {
    if (bytes <= bytesMax) done(chunks)
  })
}

/**
 * The body as a stream of its own. Whoever destroys it does not take the client's connection along: what the client still sends is
 * read past, so that it can be told why.
 */
export function streamOf(request: IncomingMessage): Readable {
  const take = (chunk: Buffer): void => {
    if (!stream.push(chunk)) request.pause()
  }
  const whole = (): void => {
    stream.push(null)
  }
  const cut = (): void => {
    if (!request.complete) stream.destroy(new Error('the client has gone'))
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
  request.on('data', take).on('end', whole).on('close', cut)
  return stream
}

/** Whether a request says that a body follows. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
