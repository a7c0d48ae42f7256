import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { deliver, type ResponseHead } from '../deliver.ts'
import { targetAt } from '../history-target.ts'
import { requestHeaders } from '../pass-headers.ts'
import { finish, type ProxyRequest } from '../proxy-request.ts'
import { joinRepaired, joinSockets } from './join-sockets.ts'

/** Whether a request asks for a WebSocket. */
export const isWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade !== undefined && /\bwebsocket\b/i.test(headers.upgrade)

/**
 * Whether this version of Node has `shouldUpgradeCallback`. Without it, every request with an `upgrade` header would be taken
 * for a WebSocket, also an ordinary one.
 */
export function canChooseUpgrades(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 9) || (major === 22 && minor >= 21)
}

/**
 * Forwards the request for a WebSocket, and joins both sides if the upstream agrees. Any other answer is passed on. Where
 * histories are sent, compression is not offered to the upstream, so that messages can be read.
 */
export function relayUpgrade(proxyRequest: ProxyRequest, socket: Duplex): void {
  const { request, route, pool, client, context } = proxyRequest
  const target = targetAt(route)
  const headers = requestHeaders(request.rawHeaders, false)
  const sent = target ? withoutExtensions(headers) : headers
  deliver({
    pool,
    outgoing: { method: 'GET', path: route.path, headers: sent, body: null, upgrade: 'websocket' },
    client,
    extra: ['connection', 'close'],
    holds: 'nothing',
    onUpgrade(head, upstream) {
      client.upgrade(socket)
      socket.write(headText(head), 'latin1')
      const source = target && { context, target, headers: request.headers, isGone: () => socket.destroyed }
      if (source) joinRepaired(socket, upstream, proxyRequest, source, () => reportLength(proxyRequest))
      else joinSockets(socket, upstream)
    },
    onEnd: delivery => finish(proxyRequest, delivery),
  })
}

const withoutExtensions = (flat: readonly string[]): string[] =>
  flat.filter((_, index) => flat[index & ~1]?.toLowerCase() !== 'sec-websocket-extensions')

function headText({ status, statusMessage, headers }: ResponseHead): string {
  const lines = [`HTTP/1.1 ${status} ${statusMessage || (STATUS_CODES[status] ?? '')}`]
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`)
  return `${lines.join('\r\n')}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`
}

function reportLength({ context, route }: ProxyRequest): void {
  const { name } = route.upstream
  context.proxyError({
    kind: 'too-long',
    status: 1009,
    message: `a WebSocket message exceeds ${context.maxBytes} bytes`,
    hint: 'start the proxy with a larger --body-limit, or connect to the provider itself',
    ...(name === undefined ? {} : { route: name }),
  })
}

/** An answer on a connection that Node no longer serves: it is closed after the answer. */
export function endAfter(response: ServerResponse, socket: Duplex): void {
  response.shouldKeepAlive = false
  // As for other requests: a client that closes its side does not wait for its answer.
  socket.once('end', () => {
    if (response.socket && !response.writableEnded) socket.destroy()
  })
  response.once('finish', () => {
    socket.end()
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), 5_000)
    socket.once('close', () => clearTimeout(timer))
  })
}
