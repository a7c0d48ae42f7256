import type { Socket } from 'node:net'
import type { Upstream } from './routes.ts'
import { bodyOf, type Trouble } from './trouble.ts'

/**
 * Answers where there is no request, and hangs up. A client that does not hang up as well is cut off after `lingerMs`: it may still
 * be sending, and would lose the answer if it were cut off at once.
 */
export function refuseSocket(socket: Socket, trouble: Trouble, lingerMs: number): void {
  socket.on('error', () => {})
  const body = bodyOf(trouble)
  const head = `HTTP/1.1 ${trouble.status} ${words[trouble.status] ?? 'Bad Request'}\r\ncontent-type: application/json\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  if (lingerMs === 0) socket.destroySoon()
  else {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

const words: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Headers Too Large',
  503: 'Service Unavailable',
}

/** What is wrong with what a client has sent. */
export function clientTrouble({ code = '' }: NodeJS.ErrnoException): Trouble {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return bad(408, 'too-slow', 'the request did not come in time', 'send it faster, or whole')
  if (code === 'HPE_HEADER_OVERFLOW')
    return bad(431, 'bad-request', 'the headers are too large', 'the proxy takes 64 KB of headers')
  if (code === 'HPE_INVALID_EOF_STATE')
    return bad(
      400,
      'bad-request',
      'the request ended before its content-length said so',
      'send as many bytes as it says',
    )
  return bad(400, 'bad-request', `this is no HTTP request (${code})`, 'the proxy speaks plain HTTP/1.1')
}

const bad = (status: number, kind: Trouble['kind'], message: string, hint: string): Trouble => ({
  ...{ status, kind, message, hint },
})

export const noForward = bad(
  ...([400, 'bad-request', 'a request must name a path below the proxy'] as const),
  'this is no forward proxy: use it as a base URL, without dots that lead out of a path',
)

export const tooManyConnections = bad(
  ...([503, 'too-many', 'the proxy has too many open connections'] as const),
  'close some, try again later, or start the proxy with a larger --max-connections or --max-connections-per-address',
)

export const tooManyRequests = bad(
  ...([503, 'too-many', 'too many requests on one connection wait for their answer'] as const),
  'wait for an answer before sending the next request, or open another connection',
)

export const tooManyLong = bad(
  ...([503, 'too-many', 'too many long requests wait to be checked'] as const),
  'try again later, or send fewer long requests at once',
)

/** Its body would be taken for another one behind the proxy, where nothing says any more how it is to be read. */
export const noCoding = bad(
  ...([501, 'bad-request', 'the proxy does not unpack a transfer-encoding'] as const),
  'send the body chunked and nothing else, and say in content-encoding how it is packed',
)

/** The status on which clients such as Codex go on over HTTP at once; after any other they try a WebSocket again. */
export const noUpgrade = bad(
  ...([426, 'no-upgrade', 'the proxy does not pass on WebSocket connections'] as const),
  'send the request over HTTP, or connect to the provider itself',
)

/** A page of somebody else could be speaking, under a name of its own that leads here. */
export const otherName = bad(
  ...([421, 'bad-request', 'the proxy is not known by this name'] as const),
  'ask it as 127.0.0.1 or localhost, or start it with --allow-remote',
)

/** See `origin-guard.ts`. */
export const foreignPage = bad(
  ...([403, 'bad-request', 'a web page of another origin may not use the proxy'] as const),
  'serve the page from localhost, or start the proxy with --allow-origin ORIGIN',
)

export function noRoute(upstreams: readonly Upstream[]): Trouble {
  const names = upstreams.map(({ name }) => `/${name}`).join(', ')
  return bad(404, 'no-route', 'the path names no upstream', `it begins with one of: ${names}`)
}
