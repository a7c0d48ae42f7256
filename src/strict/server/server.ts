import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { Ids } from '../answers/ids.ts'
import { callEachTool, play, type ReplyScript } from '../answers/script.ts'
import { demandMode, type FailureMode } from '../modes.ts'
import type { Provider } from '../provider.ts'
import { findProvider, providers } from '../providers/index.ts'
import { exchange, type ServerContext } from './exchange.ts'
import type { IncomingRequest, ReceivedRequest } from './incoming.ts'
import { type AnyResponse, corsHeaders, sendAnswer } from './send.ts'
import { ServerState } from './state.ts'

export interface StrictOptions {
  /** The provider to use when the path does not name one: an id, or a custom provider. By default the owner of the path. */
  provider?: string | Provider
  /** By default each tool is called once, followed by an answer. */
  script?: ReplyScript
  /** By default a free port. */
  port?: number
  /** A loopback address. */
  host?: '127.0.0.1' | '::1' | 'localhost'
  mode?: FailureMode
  /** Also enforce facts that are known from third-party code only. */
  pedantic?: boolean
  /**
   * Reject every signature, encrypted content and id that this server did not make for the same account and model. By default
   * those of real providers are trusted, so that recorded histories can be sent; those of another strict server are not.
   */
  verify?: boolean
  /** Called for every request, with its outcome. */
  onRequest?: (received: ReceivedRequest) => void
}

/** A running server. */
export interface Strict extends AsyncDisposable {
  url: string
  port: number
  /** Every request in the order of arrival. */
  requests: ReceivedRequest[]
  state: ServerState
  /** Replaces the current script. */
  script(script: ReplyScript): void
  /** Also closes every open connection. */
  close(): Promise<void>
}

/** Starts a server that simulates all APIs. It needs no key, and listens on loopback only. */
export async function startStrict(options: StrictOptions = {}): Promise<Strict> {
  const { script = callEachTool, port = 0, host = '127.0.0.1', mode, pedantic = false, verify = false } = options
  if (!hosts.includes(host)) throw new TypeError(`the host must be one of ${hosts.join(', ')}, got '${host}'`)
  const main = mainProvider(options.provider)
  const context: ServerContext = {
    providers: main ? [main, ...providers.filter(({ id }) => id !== main.id)] : providers,
    main,
    state: new ServerState(pedantic, verify),
    ids: new Ids(),
    mode: mode === undefined ? undefined : demandMode(mode),
    reply: play(script),
    received: [],
    onRequest: options.onRequest,
  }
  const { address, close } = await listen(context, port, host)
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    requests: context.received,
    state: context.state,
    script: next => {
      context.reply = play(next)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const hosts: unknown[] = ['127.0.0.1', '::1', 'localhost']

function mainProvider(provider: string | Provider | undefined): Provider | undefined {
  if (typeof provider !== 'string') return provider
  const found = findProvider(provider)
  if (!found)
    throw new TypeError(`unknown provider '${provider}' (one of: ${providers.map(({ id }) => id).join(', ')})`)
  return found
}

async function listen(context: ServerContext, port: number, host: string) {
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const handle = (request: IncomingMessage, response: AnyResponse) => {
    // A client that disconnects early is not an error.
    serve(context, request, response, closing.signal).catch(() => response.destroy())
  }
  // A client that was busy for longer than Node's five seconds would send its next request into a connection that is being closed.
  const http = createHttp({ keepAliveTimeout: 65_000 }, handle)
  // HTTP/2 requests and responses have everything that is used here.
  const http2 = createHttp2((request, response) => handle(request as never, response as never))
  http2.on('sessionError', () => {})
  const server = createTcp(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    // Amazon's client uses HTTP/2 without negotiation; all others begin with a method.
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

async function serve(
  context: ServerContext,
  request: IncomingMessage,
  response: AnyResponse,
  signal: AbortSignal,
): Promise<void> {
  const { method = 'GET' } = request
  if (method === 'HEAD' || method === 'OPTIONS') {
    request.resume()
    response.writeHead(method === 'HEAD' ? 200 : 204, { ...corsHeaders, ...preflight }).end()
    return
  }
  const { pathname: path, searchParams: query } = new URL(`http://strict${request.url ?? '/'}`)
  const incoming: IncomingRequest = { method, path, query, headers: headersOf(request), body: await bodyOf(request) }
  await sendAnswer(response, await exchange(context, incoming), signal)
}

const preflight = {
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  allow: 'GET, POST, DELETE',
}

/** The whole body; undefined if it is too long, after the rest was discarded. */
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
