import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

/**
 * Connects to upstreams that may send `100 Continue` without being asked. RFC 9110 requires clients to ignore it, but
 * `undici` closes the connection. It ignores every other informational response, so a 100 is changed to a 102.
 */
export function tolerantConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, done) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) done(error, null)
      else {
        tolerate(socket)
        done(null, socket)
      }
    })
}

/** Reads what arrives after the head of a request was written, until a response that is not a 100 begins. */
function tolerate(socket: Socket): void {
  const heads = new ContinueHeads()
  const { read, write } = socket
  socket.write = (chunk: string | Uint8Array, ...rest: [never?, never?]) => {
    if (typeof chunk === 'string' && chunk.includes(' HTTP/1.1\r\n')) heads.await()
    return write.call(socket, chunk, rest[0], rest[1])
  }
  socket.read = size => {
    const chunk = read.call(socket, size)
    if (heads.isAwaited && Buffer.isBuffer(chunk)) heads.change(chunk)
    return chunk
  }
}

const head = Buffer.from('HTTP/1.1 100')
/** Positions where any digit is accepted: every status that begins with 1 is informational. */
const open = new Set([10, 11])
const two = 0x32
const end = Buffer.from('\r\n\r\n')

/** Reads byte by byte, so that it does not matter how a response is split into chunks. */
export class ContinueHeads {
  isAwaited = false
  #isInside = false
  #isContinue = false
  #at = 0

  /** A response is expected. */
  await(): void {
    this.isAwaited = true
    this.#isInside = false
    this.#at = 0
  }

  /** Changes each 100 before the response to a 102. */
  change(chunk: Buffer): void {
    for (let index = 0; index < chunk.length && this.isAwaited; index++) {
      const byte = chunk[index]
      if (byte === undefined) break
      if (this.#isInside) this.#find(byte)
      else if (byte !== head[this.#at] && !open.has(this.#at)) this.isAwaited = false
      else if (this.#read(byte)) chunk[index] = two
    }
  }

  /** Reads a byte of a matching head. True for the last digit of a 100. */
  #read(byte: number): boolean {
    if (this.#at === 10) this.#isContinue = byte === head[10]
    if (++this.#at < head.length) return false
    this.#isInside = true
    this.#at = 0
    return this.#isContinue && byte === head[11]
  }

  /** At the end of a head the next one may begin. */
  #find(byte: number): void {
    this.#at = byte === end[this.#at] ? this.#at + 1 : byte === end[0] ? 1 : 0
    if (this.#at < end.length) return
    this.#isInside = false
    this.#at = 0
  }
}
