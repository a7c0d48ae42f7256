import type { Socket } from 'node:net'
import { errorBody, type ProxyError } from './proxy-error.ts'
import type { Upstream } from './routes.ts'

/**
 * Answers a socket that sent no valid request, and closes it. A client that keeps its side open is cut off after `lingerMs`:
 * it may still be sending, and would lose the answer if the socket were destroyed at once.
 */
export function rejectSocket(socket: Socket, proxyError: ProxyError, lingerMs: number): void {
  socket.on('error', () => {})
  const body = errorBody(proxyError)
  const head = `HTTP/1.1 ${proxyError.status} ${words[proxyError.status] ?? 'Bad Request'}\r\ncontent-type: application/json\r\n`
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

/** The error for what a client sent, by Node's error code. */
export function clientError({ code = '' }: NodeJS.ErrnoException): ProxyError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return bad(408, 'too-slow', 'the request took too long to arrive', 'send the whole request sooner')
  if (code === 'HPE_HEADER_OVERFLOW')
    return bad(431, 'bad-request', 'the headers are too large', 'the proxy accepts at most 64 KB of headers')
  if (code === 'HPE_INVALID_EOF_STATE')
    return bad(
      400,
      'bad-request',
      'the request body is shorter than its content-length',
      'send as many bytes as content-length says',
    )
  return bad(400, 'bad-request', `not an HTTP request (${code})`, 'the proxy speaks plain HTTP/1.1')
}

const bad = (status: number, kind: ProxyError['kind'], message: string, hint: string): ProxyError => ({
  ...{ status, kind, message, hint },
})

export const notForwardProxy = bad(
  ...([400, 'bad-request', 'the request target must be a path on the proxy'] as const),
  'this is not a forward proxy: use it as a base URL, with no .. in the path',
)

export const tooManyConnections = bad(
  ...([503, 'too-many', 'the proxy has too many open connections'] as const),
  'close some, try again later, or start the proxy with a larger --max-connections or --max-connections-per-address',
)

export const tooManyRequests = bad(
  ...([503, 'too-many', 'too many requests on one connection are waiting for an answer'] as const),
  'wait for an answer before sending the next request, or open another connection',
)

export const tooManyLongRequests = bad(
  ...([503, 'too-many', 'too many long requests are waiting to be checked'] as const),
  'try again later, or send fewer long requests at once',
)

/** Forwarded without its transfer-encoding header, the body would be read in a different way by the upstream. */
export const unsupportedTransferEncoding = bad(
  ...([501, 'bad-request', 'chunked is the only transfer-encoding that the proxy supports'] as const),
  'send the body chunked, and name its compression in content-encoding',
)

/** For versions of Node without `shouldUpgradeCallback`. After status 426, clients such as Codex fall back to HTTP at once. */
export const noUpgrade = bad(
  ...([426, 'no-upgrade', 'the proxy does not forward WebSocket connections on this version of Node'] as const),
  'send the request over HTTP, or run the proxy on Node 22.21, 24.9 or newer',
)

export const notAnUpgrade = bad(
  ...([426, 'no-upgrade', 'a WebSocket request needs the header "connection: upgrade"'] as const),
  'add the header, or send the request over HTTP',
)

/** A tape would miss the whole session. */
export const notRecorded = bad(
  ...([426, 'no-upgrade', 'the proxy records requests, and cannot record a WebSocket'] as const),
  'send the request over HTTP, or start the proxy without --record',
)

export const pipelinedUpgrade = bad(
  ...([
    400,
    'bad-request',
    'a WebSocket was requested before earlier requests on its connection were answered',
  ] as const),
  'open a connection for each WebSocket',
)

/** DNS-rebinding guard: see `host-guard.ts`. */
export const unknownHost = bad(
  ...([421, 'bad-request', 'the Host header names a host that the proxy does not accept'] as const),
  'use 127.0.0.1 or localhost, or start the proxy with --allow-remote',
)

export const severalHosts = bad(
  ...([400, 'bad-request', 'the request has several Host headers'] as const),
  'send one Host header',
)

/** See `origin-guard.ts`. */
export const foreignOrigin = bad(
  ...([403, 'bad-request', 'a web page of another origin may not use the proxy'] as const),
  'serve the page from localhost, or start the proxy with --allow-origin ORIGIN',
)

export function noRoute(upstreams: readonly Upstream[]): ProxyError {
  const names = upstreams.map(({ name }) => `/${name}`).join(', ')
  return bad(404, 'no-route', 'the path does not name an upstream', `begin the path with one of: ${names}`)
}
