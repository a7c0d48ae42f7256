import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type ProxyError,
  type ProxyOptions,
  type ProxyReport,
  startProxy,
} from '../../../src/integrations/proxy/index.ts'

/** A proxy for one test, and what it told. Whatever it does not expect to tell is an error. */
export async function serve(options: Omit<ProxyOptions, 'port'>) {
  const told = { reports: [] as ProxyReport[], proxyErrors: [] as ProxyError[], errors: [] as unknown[] }
  const proxy = await startProxy({
    onRepair: report => told.reports.push(report),
    onProxyError: proxyError => told.proxyErrors.push(proxyError),
    onError: error => told.errors.push(error),
    ...options,
    port: 0,
  })
  onTestFinished(() => proxy.close())
  return { ...told, url: proxy.url, port: proxy.port, proxy }
}

/** An upstream that does what a test wants. */
export async function upstream(visit: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer({ keepAliveTimeout: 65_000 }, visit)
  const place = await listening(server)
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // For Node a connection is not idle before its first request.
    for (const socket of place.sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return { ...place, closeIdle }
}

/** An upstream that speaks no HTTP, or little. */
export async function tcpUpstream(visit: (socket: Socket) => void) {
  return listening(
    createTcp(socket => {
      socket.on('error', () => {})
      visit(socket)
    }),
  )
}

async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, sockets, close }
}

/** Sends bytes as they are, half-closes if it is told to, and gives what comes back until the other side closes. */
export async function talk(port: number, bytes: string | Buffer, { end = false } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let heard = ''
  socket.on('data', chunk => {
    heard += chunk
  })
  await once(socket, 'connect')
  if (end) socket.end(bytes)
  else socket.write(bytes)
  await once(socket, 'close')
  return heard
}

/** The error that the proxy itself answers with. */
export const errorIn = async (response: Response) =>
  ((await response.json()) as { error: { type: string; code: string; message: string; hint: string } }).error

/** The value of a metric, added up over the labels that are not named. */
export async function metric(url: string, name: string, labels: Record<string, string> = {}): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text
    .split('\n')
    .filter(line => line.startsWith(`antiphon_proxy_${name}`) && /[{ ]/.test(line[`antiphon_proxy_${name}`.length]))
    .filter(line => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
