import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One side of a WebSocket, with the bytes that arrived. */
export class Peer {
  readonly request: IncomingMessage | undefined
  readonly socket: Socket
  bytes = Buffer.alloc(0)
  isClosed = false

  constructor(socket: Socket, request?: IncomingMessage) {
    this.socket = socket
    this.request = request
    socket.on('error', () => {})
    socket.on('data', chunk => {
      this.bytes = Buffer.concat([this.bytes, chunk])
    })
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      this.isClosed = true
    })
  }

  get messages(): string[] {
    return textsIn(this.bytes)
  }
}

/** A provider that agrees to every WebSocket, and does with it what a test wants. */
export async function webSockets(visit: (peer: Peer) => void = () => {}, answer: RequestListener = needsWebSocket) {
  const peers: Peer[] = []
  const server = createServer(answer)
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.includes('refuse')) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nx-own: yes\r\ncontent-length: 6\r\n\r\nno key')
      return
    }
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.unshift(head)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nX-Own: yes\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    const peer = new Peer(socket as Socket, request)
    peers.push(peer)
    visit(peer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const { socket } of peers) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, peers }
}

const needsWebSocket: RequestListener = (_, response) =>
  response.writeHead(426, { 'x-own': 'yes' }).end('send it over HTTP')

/** Opens a WebSocket by hand. The bytes of its side begin after the head of the answer. */
export async function openSocket(port: number, path: string, headers: readonly string[] = []) {
  const peer = new Peer(connect(port, '127.0.0.1'))
  onTestFinished(() => void peer.socket.destroy())
  const head = [`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: Upgrade', 'upgrade: websocket']
  const own = ['sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
  peer.socket.write(`${[...head, ...own, ...headers].join('\r\n')}\r\n\r\n`)
  await until(() => peer.bytes.includes('\r\n\r\n') || peer.isClosed)
  const end = peer.bytes.indexOf('\r\n\r\n') + 4
  const answer = peer.bytes.subarray(0, end).toString()
  peer.bytes = peer.bytes.subarray(end)
  return { peer, answer }
}

export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`it does not come to hold: ${holds}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** A frame, masked if it is one of a client. */
export function frame(opcode: number, payload: string | Buffer, { mask = '', isLast = true, bits = 0 } = {}): Buffer {
  const bytes = Buffer.from(payload)
  const size = bytes.length < 126 ? [] : bytes.length < 65_536 ? [2] : [8]
  const length = Buffer.alloc(size[0] ?? 0)
  if (length.length === 2) length.writeUInt16BE(bytes.length)
  if (length.length === 8) length.writeBigUInt64BE(BigInt(bytes.length))
  const short = length.length === 0 ? bytes.length : length.length === 2 ? 126 : 127
  const head = Buffer.from([(isLast ? 0x80 : 0) | bits | opcode, (mask === '' ? 0 : 0x80) | short])
  const key = Buffer.from(mask, 'latin1')
  const body = mask === '' ? bytes : bytes.map((byte, at) => byte ^ key[at % 4])
  return Buffer.concat([head, length, key, body])
}

/** The texts of whole frames. */
function textsIn(bytes: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1] & 0x7f
    const width = short === 126 ? 2 : short === 127 ? 8 : 0
    const isMasked = (bytes[at + 1] & 0x80) !== 0
    const start = at + 2 + width + (isMasked ? 4 : 0)
    if (start > bytes.length) break
    const size = width === 0 ? short : width === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    if (start + size > bytes.length) break
    const key = isMasked ? bytes.subarray(start - 4, start) : Buffer.alloc(4)
    const payload = Buffer.from(bytes.subarray(start, start + size).map((byte, index) => byte ^ key[index % 4]))
    if ((bytes[at] & 15) === 1) texts.push(payload.toString())
    at = start + size
  }
  return texts
}
