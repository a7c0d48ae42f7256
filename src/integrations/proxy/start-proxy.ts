import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Pool } from 'undici'
import { assertAmounts } from '../../core/assert-options.ts'
import { AntiphonError } from '../../core/errors.ts'
import { timerDelay } from '../../core/timer-delay.ts'
import { planFor } from '../../heal/options.ts'
import { RejectionMemory } from '../../heal/rejections/lessons.ts'
import { ImageResizer } from '../../heal/request/image-resizer.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { tapeFromEnvironment } from '../../observe/tape/environment.ts'
import { HealthyPrefixes } from '../fetch/check/healthy-prefixes.ts'
import { notify } from '../fetch/notify.ts'
import { Client } from './client.ts'
import {
  clientError,
  foreignOrigin,
  noRoute,
  notAnUpgrade,
  notForwardProxy,
  notRecorded,
  noUpgrade,
  pipelinedUpgrade,
  rejectSocket,
  severalHosts,
  tooManyConnections,
  tooManyRequests,
  unknownHost,
  unsupportedTransferEncoding,
} from './client-errors.ts'
import { Connections } from './connections.ts'
import type { ProxyContext } from './context.ts'
import { HealQueue } from './heal-in-worker.ts'
import { targetAt } from './history-target.ts'
import { hasSeveralHosts, isPrivateHost } from './host-guard.ts'
import { answerInternal, isInternal } from './internal-endpoints.ts'
import { createMetrics } from './metrics.ts'
import { isForeignOrigin } from './origin-guard.ts'
import { type ProxyError, sendError } from './proxy-error.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { relay } from './relay.ts'
import { createRouter, type Route, readUpstreams, type Upstream } from './routes.ts'
import { tolerantConnector } from './tolerant-connector.ts'
import { canChooseUpgrades, endAfter, isWebSocket, relayUpgrade } from './websocket/relay-upgrade.ts'

/** A running proxy. */
export interface RunningProxy extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Stops listening, lets requests in progress finish for up to `graceMs` (0 by default), and then aborts them. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

/**
 * Starts an HTTP server that forwards requests to its upstreams only, and repairs the histories in them as `healFetch` does.
 * Rejects if it cannot listen, or if other machines could reach it and `allowRemote` is not set.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { port = 8377, host = '127.0.0.1', allowRemote = false, requestMs = 300_000 } = options
  const { maxConnections = 2048, maxConnectionsPerAddress = 1024 } = options
  mustBePositive({ maxConnections, maxConnectionsPerAddress })
  const { maxBytes, timeoutMs, connectMs } = options
  assertAmounts({ maxBytes, timeoutMs, connectMs, requestMs })
  const context = createContext(options)
  if (!allowRemote && !isLoopback(host)) throw remote(host)
  const origins = new Set(options.allowOrigins)
  const connections = new Connections({ total: maxConnections, perAddress: maxConnectionsPerAddress })
  const lingerMs = Math.min(requestMs, 5_000)
  let isClosing = false

  const onClientEnd = (client: Client): void => {
    connections.end(client)
    if (client.route !== undefined)
      context.metrics.end(client.route, client.isGone ? 'cut' : client.response.statusCode)
    if (isClosing) server.closeIdleConnections()
  }
  const handleRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
    upgraded?: Duplex,
  ): void => {
    if (isClosing) response.setHeader('connection', 'close')
    const client = new Client(response, onClientEnd)
    const requests = connections.start(client)
    if (requests > floodMin) request.socket.destroy()
    else if (requests > pipelinedMax) refuseRequest(context, client, tooManyRequests, true)
    // With `allowRemote` the proxy may have names that are not known here.
    else if (!allowRemote && !isPrivateHost(request.headers.host))
      refuseRequest(context, client, unknownHost, expectsContinue)
    else if (hasSeveralHosts(request.rawHeaders)) refuseRequest(context, client, severalHosts, expectsContinue)
    else if (!allowRemote && isForeignOrigin(request.headers, origins))
      refuseRequest(context, client, foreignOrigin, expectsContinue)
    else if (isInternal(request)) answerInternal(context, request, response)
    else routeRequest(context, request, client, expectsContinue, upgraded)
  }

  const server = createServer({
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs / 2, 30_000),
    keepAliveTimeout: 65_000,
    maxHeaderSize: 64 * 1024,
    shouldUpgradeCallback: isWebSocket,
  })
  // By default Node silently drops headers after the first 2000; their number is limited by their length anyway.
  server.maxHeadersCount = 0
  // Ends connections of clients that do not read their answer. A client that sends slowly gets a 408 earlier, after `requestMs`.
  server.timeout = 2 * requestMs
  server.on('timeout', (socket: Socket) => {
    // A client that waits for its provider has nothing to read.
    if (socket.writableLength > 0 || connections.clientsOf(socket).length === 0) socket.destroy()
  })
  const refuse = (socket: Socket, proxyError: ProxyError, waitMs = lingerMs): void => {
    context.proxyError(proxyError)
    rejectSocket(socket, proxyError, waitMs)
  }
  // The client would take an error for the answer to an earlier request on the connection, so the connection is cut. Node no longer
  // emits `close` for the earlier requests.
  const cutEarlier = (socket: Socket, proxyError: ProxyError): boolean => {
    const earlier = [...connections.clientsOf(socket)]
    if (earlier.length === 0) return false
    context.proxyError(proxyError)
    socket.destroy()
    for (const client of earlier) client.end()
    return true
  }
  server.on('connection', (socket: Socket) => {
    if (!connections.open(socket)) refuse(socket, tooManyConnections, 0)
  })
  server.on('request', (request, response) => handleRequest(request, response, false))
  server.on('checkContinue', (request, response) => handleRequest(request, response, true))
  if (canChooseUpgrades())
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => {})
      if (cutEarlier(socket as Socket, pipelinedUpgrade)) return
      const response = new ServerResponse(request)
      try {
        response.assignSocket(socket as Socket)
      } catch {
        // Node itself is answering an earlier request, such as one without a host, which `connections` does not contain.
        context.proxyError(pipelinedUpgrade)
        return void (socket as Socket).destroySoon()
      }
      socket.unshift(head)
      endAfter(response, socket)
      handleRequest(request, response, true, socket)
    })
  server.on('connect', (_, socket: Socket) => {
    if (!cutEarlier(socket, notForwardProxy)) refuse(socket, notForwardProxy)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = connections
      .clientsOf(socket)
      .some(({ response }) => response.socket === socket && response.headersSent)
    // The answer has begun, or the connection was opened in advance and has not been used: the client would take an error for a part of
    // the answer, or for the answer to its first request.
    if (isAnswered || socket.bytesRead === 0) socket.destroy()
    // A client that has disconnected, or whose answer is complete, cannot read the error, so it is not counted.
    else if (error.code === 'ECONNRESET' || !socket.writable) rejectSocket(socket, clientError(error), lingerMs)
    else refuse(socket, clientError(error))
  })

  server.listen(port, host)
  await once(server, 'listening').catch(error => {
    throw error.code === 'EADDRINUSE' ? taken(port, error) : error
  })
  const address = server.address() as AddressInfo
  const looping = context.upstreams.find(upstream => pointsTo(upstream, address))
  const close = async ({ graceMs = 0 } = {}): Promise<void> => {
    assertAmounts({ graceMs })
    isClosing = true
    await shutDown(server, connections, graceMs)
    await Promise.all([context.queue.close(), ...[...context.pools.values()].map(pool => pool.destroy())])
  }
  if (looping) {
    await close()
    throw new AntiphonError('own-upstream', `${looping.origin} is the proxy itself`, {
      hint: 'pass the URL of the provider as `to` (--to)',
    })
  }
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

function createContext(options: ProxyOptions): ProxyContext {
  const {
    // Options of the server, which `startProxy` has read.
    port: _port,
    host: _host,
    allowRemote: _allowRemote,
    allowOrigins: _allowOrigins,
    requestMs: _requestMs,
    maxConnections: _maxConnections,
    maxConnectionsPerAddress: _maxConnectionsPerAddress,
    to,
    dryRun = false,
    maxBytes = 64 * 1024 * 1024,
    timeoutMs = 600_000,
    connectMs = 10_000,
    connect,
    tape = tapeFromEnvironment(),
    onRepair = warnOfLoss,
    onProxyError,
    onError = warn,
    resize,
    ...choices
  } = options
  // Throws for an unknown name now, not at the first request.
  planFor([], choices)
  const upstreams = readUpstreams(to)
  const times = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  // HTTP/1.1 only: when an HTTP/2 server retires a connection (GOAWAY), `undici` cuts the answers that still stream on it.
  const connector = tolerantConnector({ allowH2: false, timeout: connectMs, ...connect })
  const metrics = createMetrics()
  const warnedOf = new Set<string>()
  return {
    ...{
      upstreams,
      choices,
      resizer: new ImageResizer(resize, error => notify(onError, error)),
      dryRun,
      maxBytes,
      tape,
      metrics,
      memory: new RejectionMemory(),
      prefixes: HealthyPrefixes.create(),
      queue: new HealQueue({ bytesMax: 4 * maxBytes }),
      findRoute: createRouter(upstreams),
    },
    pools: new Map(upstreams.map(up => [up, new Pool(up.origin, { allowH2: false, ...times, connect: connector })])),
    report(report) {
      metrics.report(report)
      notify(onRepair, report)
    },
    proxyError(proxyError) {
      metrics.proxyError(proxyError.kind)
      if (onProxyError) notify(onProxyError, proxyError)
    },
    unhealed(reason, error) {
      metrics.unhealed(reason)
      // The same client sends its next requests in the same way, so one warning is enough.
      if (reason !== 'failed' && warnedOf.has(reason)) return
      warnedOf.add(reason)
      notify(onError, error)
    },
  }
}

/** Counts a request, and forwards it if there is a route for it. */
function routeRequest(
  context: ProxyContext,
  request: IncomingMessage,
  client: Client,
  expectsContinue: boolean,
  upgraded: Duplex | undefined,
): void {
  const route = context.findRoute(request.url ?? '/')
  const proxyError =
    requestError(route, request, context.upstreams) ?? upgradeError(context, route as Route, request, upgraded)
  const pool = typeof route === 'string' ? undefined : context.pools.get(route.upstream)
  client.route = typeof route === 'string' ? 'none' : (route.upstream.name ?? 'default')
  context.metrics.start()
  if (proxyError || typeof route === 'string' || !pool) {
    refuseRequest(context, client, proxyError ?? notForwardProxy, expectsContinue)
    return
  }
  try {
    const proxyRequest = { request, client, route, pool, context, expectsContinue }
    if (upgraded) relayUpgrade(proxyRequest, upgraded)
    else relay(proxyRequest)
  } catch (error) {
    client.handleError(error)
  }
}

function refuseRequest(
  context: ProxyContext,
  { response }: Client,
  proxyError: ProxyError,
  expectsContinue: boolean,
): void {
  response.req.resume()
  context.proxyError(proxyError)
  // RFC 9110 requires the supported protocol in the answer.
  const upgrade: Record<string, string> =
    proxyError.kind === 'no-upgrade' ? { upgrade: 'HTTP/1.1', connection: 'upgrade, close' } : {}
  sendError(response, proxyError, expectsContinue ? { ...upgrade, connection: 'close' } : upgrade)
}

/** Why a request for a WebSocket is not forwarded, if it is one. */
function upgradeError(
  { tape }: ProxyContext,
  route: Route,
  request: IncomingMessage,
  upgraded: Duplex | undefined,
): ProxyError | undefined {
  if (!isWebSocket(request)) return undefined
  if (!upgraded) return canChooseUpgrades() ? notAnUpgrade : noUpgrade
  return tape && targetAt(route) ? notRecorded : undefined
}

function requestError(
  route: ReturnType<ProxyContext['findRoute']>,
  { headers }: IncomingMessage,
  upstreams: readonly Upstream[],
): ProxyError | undefined {
  if (/[^,\s]\s*,/.test(headers['transfer-encoding'] ?? '')) return unsupportedTransferEncoding
  if (route === 'bad-target') return notForwardProxy
  return route === 'no-route' ? noRoute(upstreams) : undefined
}

async function shutDown(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve())
  })
  for (const { response } of connections.allClients())
    if (!response.headersSent) response.setHeader('connection', 'close')
  server.closeIdleConnections()
  const timer = setTimeout(() => connections.destroyAll(), timerDelay(graceMs))
  await closed
  clearTimeout(timer)
}

/**
 * How many requests one connection may send without waiting for an answer. Each is read and forwarded at once, and takes
 * memory and a connection to its upstream. A client that continues after the error is cut off.
 */
const [pipelinedMax, floodMin] = [16, 64]

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)

function pointsTo({ origin }: Upstream, { port, address }: AddressInfo): boolean {
  const { hostname, port: named, protocol } = new URL(origin)
  const number = Number(named || (protocol === 'https:' ? 443 : 80))
  return number === port && (isLoopback(hostname) || hostname === address || hostname === `[${address}]`)
}

function mustBePositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, number] of Object.entries(numbers))
    if (!Number.isInteger(number) || number < 1)
      throw new AntiphonError('wrong-number', `${name} must be a positive integer, got ${number}`, {
        hint: 'leave it out for the default',
      })
}

const remote = (host: string): AntiphonError =>
  new AntiphonError('remote-host', `other machines could reach the proxy at ${host}`, {
    hint: 'to allow that, add --allow-remote, in code allowRemote: true',
  })

const taken = (port: number, cause: unknown): AntiphonError =>
  new AntiphonError('port-in-use', `port ${port} is in use`, {
    hint: 'choose another port; 0 picks a free one',
    cause,
  })
