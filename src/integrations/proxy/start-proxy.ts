import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Pool } from 'undici'
import { AntiphonError } from '../../core/errors.ts'
import { planFor } from '../../heal/options.ts'
import { RejectionMemory } from '../../heal/rejections/lessons.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { tapeFromEnvironment } from '../../observe/tape/environment.ts'
import { notify } from '../fetch/notify.ts'
import { Client } from './client.ts'
import {
  clientTrouble,
  foreignPage,
  noCoding,
  noForward,
  noRoute,
  noUpgrade,
  otherName,
  refuseSocket,
  tooManyConnections,
  tooManyRequests,
} from './client-trouble.ts'
import { Connections } from './connections.ts'
import type { House } from './context.ts'
import { HealQueue } from './heal-in-worker.ts'
import { isOwnName } from './host-guard.ts'
import { answerOwn, isOwn } from './internal-endpoints.ts'
import { createMetrics } from './metrics.ts'
import { isForeignPage } from './origin-guard.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { relay } from './relay.ts'
import { createWayfinder, readUpstreams, type Upstream } from './routes.ts'
import { tolerantConnector } from './tolerant-connector.ts'
import { answer, type Trouble } from './trouble.ts'

/** A running proxy. */
export interface RunningProxy extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Listens no longer, lets requests under way end for up to `graceMs` (none by default), and then ends them. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

/**
 * Starts an HTTP server that sends requests on to its upstreams and to nobody else, and heals the histories in them as
 * `healFetch` does. Rejects if it cannot listen, or if others could reach it and that was not allowed.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { port = 8377, host = '127.0.0.1', allowRemote = false, requestMs = 300_000 } = options
  const { maxConnections = 2048, maxConnectionsPerAddress = 1024 } = options
  mustBePositive({ maxConnections, maxConnectionsPerAddress })
  const house = buildHouse(options)
  if (!allowRemote && !isLoopback(host)) throw remote(host)
  const origins = new Set(options.allowOrigins)
  const visiting = new Set<Client>()
  const connections = new Connections({ total: maxConnections, perAddress: maxConnectionsPerAddress })
  const lingerMs = Math.min(requestMs, 5_000)
  let isClosing = false

  const leave = (client: Client): void => {
    visiting.delete(client)
    connections.end(client.response.req.socket)
    if (client.route !== undefined) house.metrics.end(client.route, client.isGone ? 'cut' : client.response.statusCode)
    if (isClosing) server.closeIdleConnections()
  }
  const visit = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    if (isClosing) response.setHeader('connection', 'close')
    const client = new Client(response, leave)
    visiting.add(client)
    const requests = connections.start(request.socket)
    if (requests > floodMin) request.socket.destroy()
    else if (requests > pipelinedMax) turnAway(house, client, tooManyRequests, true)
    // Whoever lets others reach the proxy has names for it that are not known here.
    else if (!allowRemote && !isOwnName(request.headers.host)) turnAway(house, client, otherName, expectsContinue)
    else if (!allowRemote && isForeignPage(request.headers, origins))
      turnAway(house, client, foreignPage, expectsContinue)
    else if (isOwn(request)) answerOwn(house, request, response)
    else welcome(house, request, client, expectsContinue)
  }

  const server = createServer({
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs / 2, 30_000),
    keepAliveTimeout: 65_000,
    maxHeaderSize: 64 * 1024,
  })
  // Else those behind the first 2000 would be lost without a word; how many there are is limited by their length.
  server.maxHeadersCount = 0
  // For clients that read nothing of their answer, see `Client`. Those that are slow to send are answered before that.
  server.timeout = 2 * requestMs
  const refuse = (socket: Socket, trouble: Trouble, waitMs = lingerMs): void => {
    house.trouble(trouble)
    refuseSocket(socket, trouble, waitMs)
  }
  server.on('connection', (socket: Socket) => {
    if (!connections.open(socket)) refuse(socket, tooManyConnections, 0)
  })
  server.on('request', (request, response) => visit(request, response, false))
  server.on('checkContinue', (request, response) => visit(request, response, true))
  server.on('connect', (_, socket: Socket) => {
    // The answer would be taken for that of an earlier request on the connection, and Node no longer tells those of its end.
    const earlier = [...visiting].filter(({ response }) => response.req.socket === socket)
    if (earlier.length === 0) refuse(socket, noForward)
    else {
      house.trouble(noForward)
      socket.destroy()
      for (const client of earlier) client.end()
    }
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = [...visiting].some(({ response }) => response.socket === socket && response.headersSent)
    if (isAnswered) socket.destroy()
    // One that has gone, or has its answer already, is not answered, and does not count.
    else if (error.code === 'ECONNRESET' || !socket.writable) refuseSocket(socket, clientTrouble(error), lingerMs)
    else refuse(socket, clientTrouble(error))
  })

  server.listen(port, host)
  await once(server, 'listening').catch(error => {
    throw error.code === 'EADDRINUSE' ? taken(port, error) : error
  })
  const address = server.address() as AddressInfo
  const looping = house.upstreams.find(upstream => leadsTo(upstream, address))
  const close = async ({ graceMs = 0 } = {}): Promise<void> => {
    isClosing = true
    await shutDown(server, visiting, connections, graceMs)
    await Promise.all([house.queue.close(), ...[...house.pools.values()].map(pool => pool.destroy())])
  }
  if (looping) {
    await close()
    throw new AntiphonError('own-upstream', `${looping.origin} is the proxy itself`, {
      hint: '--to names the provider',
    })
  }
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

function buildHouse(options: ProxyOptions): House {
  const { to, port: _port, host: _host, allowRemote: _remote, requestMs: _request, ...others } = options
  const { maxConnections: _total, maxConnectionsPerAddress: _perAddress, ...unbounded } = others
  const { allowOrigins: _origins, dryRun = false, ...rest } = unbounded
  const { maxBytes = 64 * 1024 * 1024, timeoutMs = 600_000, connectMs = 10_000, connect, ...more } = rest
  const { tape = tapeFromEnvironment(), onRepair = warnOfLoss, onTrouble, onError = warn, ...choices } = more
  // A name that does not exist is told to whoever wrote it, not at the first request.
  planFor([], choices)
  const upstreams = readUpstreams(to)
  const times = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  // HTTP/1.1 alone: when an HTTP/2 server retires a connection (GOAWAY), `undici` cuts the answers that still stream on it.
  const connector = tolerantConnector({ allowH2: false, timeout: connectMs, ...connect })
  const metrics = createMetrics()
  const warnedOf = new Set<string>()
  return {
    ...{
      upstreams,
      choices,
      dryRun,
      maxBytes,
      tape,
      metrics,
      memory: new RejectionMemory(),
      queue: new HealQueue({ bytesMax: 4 * maxBytes }),
      findWay: createWayfinder(upstreams),
    },
    pools: new Map(upstreams.map(up => [up, new Pool(up.origin, { allowH2: false, ...times, connect: connector })])),
    report(report) {
      metrics.report(report)
      notify(onRepair, report)
    },
    trouble(trouble) {
      metrics.trouble(trouble.kind)
      if (onTrouble) notify(onTrouble, trouble)
    },
    unhealed(reason, error) {
      metrics.unhealed(reason)
      // The same sender sends the next one in the same way; once is enough.
      if (reason !== 'failed' && warnedOf.has(reason)) return
      warnedOf.add(reason)
      notify(onError, error)
    },
  }
}

/** Counts a request, and sends it on if there is a way for it. */
function welcome(house: House, request: IncomingMessage, client: Client, expectsContinue: boolean): void {
  const way = house.findWay(request.url ?? '/')
  const trouble = troubleWith(way, request, house.upstreams)
  const pool = typeof way === 'string' ? undefined : house.pools.get(way.upstream)
  client.route = typeof way === 'string' ? 'none' : (way.upstream.name ?? 'default')
  house.metrics.start()
  if (trouble || typeof way === 'string' || !pool) {
    turnAway(house, client, trouble ?? noForward, expectsContinue)
    return
  }
  try {
    relay({ request, client, way, pool, house, expectsContinue })
  } catch (error) {
    client.rescue(error)
  }
}

function turnAway(house: House, { response }: Client, trouble: Trouble, expectsContinue: boolean): void {
  response.req.resume()
  house.trouble(trouble)
  // RFC 9110 asks for the protocol that is served instead.
  const upgrade: Record<string, string> =
    trouble === noUpgrade ? { upgrade: 'HTTP/1.1', connection: 'upgrade, close' } : {}
  answer(response, trouble, expectsContinue ? { ...upgrade, connection: 'close' } : upgrade)
}

function troubleWith(
  way: ReturnType<House['findWay']>,
  { headers }: IncomingMessage,
  upstreams: readonly Upstream[],
): Trouble | undefined {
  if (headers.upgrade !== undefined && /\bwebsocket\b/i.test(headers.upgrade)) return noUpgrade
  if (/[^,\s]\s*,/.test(headers['transfer-encoding'] ?? '')) return noCoding
  if (way === 'bad-target') return noForward
  return way === 'no-route' ? noRoute(upstreams) : undefined
}

async function shutDown(
  server: Server,
  visiting: ReadonlySet<Client>,
  connections: Connections,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve())
  })
  for (const { response } of visiting) if (!response.headersSent) response.setHeader('connection', 'close')
  server.closeIdleConnections()
  const timer = setTimeout(() => connections.destroyAll(), graceMs)
  await closed
  clearTimeout(timer)
}

/**
 * How many requests one connection may send without waiting for an answer. Each is read and forwarded at once, and takes memory and a
 * connection to its upstream. A client that goes on after it was told is cut off.
 */
const [pipelinedMax, floodMin] = [16, 64]

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)

function leadsTo({ origin }: Upstream, { port, address }: AddressInfo): boolean {
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
  new AntiphonError('remote-host', `others could reach ${host}, and use the proxy`, {
    hint: 'add --allow-remote if they shall',
  })

const taken = (port: number, cause: unknown): AntiphonError =>
  new AntiphonError('port-in-use', `port ${port} is in use`, {
    hint: 'take another one with --port; 0 is any free port',
    cause,
  })
