import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { Ids } from '../answers/ids.ts'
import { callEachTool, play, type Script } from '../answers/script.ts'
import { demandMode, type Mode } from '../modes.ts'
import type { Provider } from '../provider.ts'
import { providerOf, providers } from '../providers/index.ts'
import { exchange, type World } from './exchange.ts'
import type { Incoming, Received } from './incoming.ts'
import { open, type Response, send } from './send.ts'
import { State } from './state.ts'

export interface StrictOptions {
  /** Who answers where the path names nobody: an id, or a provider of one's own. By default the owner of the path. */
  provider?: string | Provider
  /** By default each tool is called once, and then there is an answer. */
  script?: Script
  /** By default any free one. */
  port?: number
  /** An address of this machine only. */
  host?: '127.0.0.1' | '::1' | 'localhost'
  mode?: Mode
  /** Enforce also what is known from third-party code only. */
  pedantic?: boolean
  /**
   * Reject every signature, encrypted content and id that this server did not make for the same account and model. By default those
   * of real providers are taken on trust, so that recorded histories can be sent; those of another strict server are not.
   */
  verify?: boolean
  /** Hears of every request once it is known what becomes of it. */
  onRequest?: (received: Received) => void
}

/** A running server. */
export interface Strict extends AsyncDisposable {
  url: string
  port: number
  /** Every request in the order in which it came. */
  requests: Received[]
  state: State
  /** Puts another script in the place of the present one. */
  script(script: Script): void
  /** Ends every open connection as well. */
  close(): Promise<void>
}

/** Starts a server that speaks all APIs. It needs no key, and listens on this machine only. */
export async function startStrict(options: StrictOptions = {}): Promise<Strict> {
  const { script = callEachTool, port = 0, host = '127.0.0.1', mode, pedantic = false, verify = false } = options
  if (!hosts.includes(host)) throw new TypeError(`the host may be ${hosts.join(', ')}, but not '${host}'`)
  const main = mainProvider(options.provider)
  const world: World = {
    providers: main ? [main, ...providers.filter(({ id }) => id !== main.id)] : providers,
    main,
    state: new State(pedantic, verify),
    ids: new Ids(),
    fault: mode === undefined ? undefined : demandMode(mode),
    reply: play(script),
    received: [],
    onRequest: options.onRequest,
  }
  const { address, close } = await listen(world, port, host)
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    requests: world.received,
    state: world.state,
    script: next => {
      world.reply = play(next)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const hosts: unknown[] = ['127.0.0.1', '::1', 'localhost']

function mainProvider(provider: string | Provider | undefined): Provider | undefined {
  if (typeof provider !== 'string') return provider
  const found = providerOf(provider)
  if (!found) throw new TypeError(`no provider '${provider}': it is ${providers.map(({ id }) => id).join(', ')}`)
  return found
}

async function listen(world: World, port: number, host: string) {
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const visit = (request: IncomingMessage, response: Response) => {
    // A client that leaves in the middle is nobody's fault.
    serve(world, request, response, closing.signal).catch(() => response.destroy())
  }
  // A client that was busy for longer than Node's five seconds would send its next request into a connection that is being closed.
  const http = createHttp({ keepAliveTimeout: 65_000 }, visit)
  // The requests and responses of HTTP/2 have all that is used of the others.
  const http2 = createHttp2((request, response) => visit(request as never, response as never))
  http2.on('sessionError', () => {})
  const server = createTcp(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    // Amazon's client speaks HTTP/2 without being asked; all others begin with a method.
    socket.once('readable', () => {
      const head = socket.read()
      if (head === null) return
      socket.unshift(head)
      const preface = head.subarray(0, 3).toString()
      ;(preface === 'PRI' ? http2 : http).emit('connection', socket)
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const close = async () => {
    closing.abort()
    for (const socket of sockets) socket.destroy()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { address: server.address() as AddressInfo, close }
}

async function serve(world: World, request: IncomingMessage, response: Response, signal: AbortSignal): Promise<void> {
  const { method = 'GET' } = request
  if (method === 'HEAD' || method === 'OPTIONS') {
    request.resume()
    response.writeHead(method === 'HEAD' ? 200 : 204, { ...open, ...preflight }).end()
    return
  }
  const { pathname: path, searchParams: query } = new URL(`http://strict${request.url ?? '/'}`)
  const incoming: Incoming = { method, path, query, headers: headersOf(request), body: await bodyOf(request) }
  await send(response, await exchange(world, incoming), signal)
}

const preflight = {
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  allow: 'GET, POST, DELETE',
}

/** The whole body; nothing if there is too much of it, and then the rest is read past. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= bytesMax ? Buffer.concat(chunks) : undefined
}

const bytesMax = 64 * 1024 * 1024

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const plain = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':'))
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]))
}
