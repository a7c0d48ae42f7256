import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** The whole body; `too-long` if it is, and then the rest is read past; `cut` if the client has gone. */
export function receive(
  request: IncomingMessage,
  bytesMax: number,
  hear: (chunk: Buffer) => void,
): Promise<Buffer[] | 'too-long' | 'cut'> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > bytesMax) end('too-long')
      else {
        chunks.push(chunk)
        hear(chunk)
      }
    }
    const whole = (): void => end(chunks)
    const cut = (): void => end('cut')
    const end = (how: Buffer[] | 'too-long' | 'cut'): void => {
      request.off('data', take).off('end', whole).off('close', cut)
      request.resume()
      resolve(how)
    }
    request.on('data', take).on('end', whole).on('close', cut)
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
