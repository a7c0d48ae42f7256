import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AntiphonError } from '../../../core/errors.ts'
import { announce } from '../forward.ts'
import type { ProxyRequest } from '../proxy-request.ts'
import { ClientFrames, type ClientPiece, closeFrame, FrameBoundaries, textFrame } from './frames.ts'
import { healMessage, type MessageSource } from './heal-message.ts'

/** Passes the bytes of both sides on, with backpressure, until one of them ends. */
export function joinSockets(client: Duplex, upstream: Duplex): void {
  bind(client, upstream)
  client.pipe(upstream)
  upstream.pipe(client)
}

/** The same, and repairs the messages of the client that create responses. All others are passed on byte for byte. */
export function joinRepaired(
  client: Duplex,
  upstream: Duplex,
  proxyRequest: ProxyRequest,
  source: MessageSource,
  tooLong: () => void,
): void {
  bind(client, upstream)
  const boundaries = new FrameBoundaries()
  upstream.on('data', (chunk: Buffer) => boundaries.push(chunk))
  upstream.pipe(client)
  const leave = (): void => {
    tooLong()
    upstream.unpipe(client)
    if (boundaries.isBetween) client.write(closeFrame(1009, 'message exceeds --body-limit of the proxy'))
    upstream.destroy()
  }
  // The client gets the rest of what the upstream sent: `bind` ends it. What it still sends is read, so that it is not reset.
  forwardMessages(client, upstream, proxyRequest, source, leave)
    .catch(() => upstream.destroy())
    .finally(() => client.resume())
}

async function forwardMessages(
  client: Duplex,
  upstream: Duplex,
  proxyRequest: ProxyRequest,
  source: MessageSource,
  leave: () => void,
): Promise<void> {
  const { context } = source
  const frames = new ClientFrames(context.maxBytes)
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    for (const piece of frames.push(chunk as Buffer)) {
      if (piece.kind === 'unreadable') context.unhealed('packed', unreadable)
      else if (piece.kind === 'too-long' && !context.dryRun) return leave()
      else for (const bytes of await bytesOf(piece, proxyRequest, source)) await write(upstream, bytes)
    }
  }
  upstream.end()
}

async function bytesOf(
  piece: Exclude<ClientPiece, { kind: 'unreadable' }>,
  proxyRequest: ProxyRequest,
  source: MessageSource,
): Promise<readonly Buffer[]> {
  if (piece.kind === 'bytes') return [piece.bytes]
  if (piece.kind === 'too-long') {
    source.context.unhealed('limit', unchecked)
    return piece.frames
  }
  const healed = await healMessage(source, piece.payload)
  if (!healed?.changed || !healed.body) return piece.frames
  announce(proxyRequest, source.target, healed)
  return source.context.dryRun ? piece.frames : [textFrame(healed.body)]
}

async function write(socket: Duplex, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.writableEnded) throw new Error('the other side is gone')
  if (socket.write(bytes)) return
  const waiting = new AbortController()
  const { signal } = waiting
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).finally(() =>
    waiting.abort(),
  )
}

/** When one side is closed, the other one is ended, and destroyed if it stays open. */
function bind(one: Duplex, other: Duplex): void {
  for (const [side, rest] of [
    [one, other],
    [other, one],
  ] as const) {
    side.on('error', () => {})
    // Otherwise a side that disappears without closing its connection would be kept forever.
    ;(side as Partial<Socket>).setKeepAlive?.(true, 60_000)
    side.once('close', () => {
      rest.end()
      const timer = setTimeout(() => rest.destroy(), lingerMs).unref()
      rest.once('close', () => clearTimeout(timer))
    })
  }
}

const lingerMs = 5_000

const unreadable = new AntiphonError(
  'packed-request',
  'WebSocket frames cannot be read, and are forwarded unchanged from here on',
  {
    hint: 'turn off compression (permessage-deflate) in the client; if it is off, the frames break the protocol',
  },
)

const unchecked = new AntiphonError('repair-limit', 'a WebSocket message exceeds the limit', {
  hint: 'it was forwarded unchanged, because this is a dry run; otherwise the connection is closed. Raise --body-limit',
})
