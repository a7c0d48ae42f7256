import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

export interface Site extends AsyncDisposable {
  readonly url: string
}

/** Serves a handler of web requests over HTTP, as a framework does. */
export async function startSite(handle: (request: Request) => Promise<Response>): Promise<Site> {
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, outgoing) => {
    const response = await handle(await requestOf(incoming))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) return void outgoing.end()
    const body = Readable.fromWeb(response.body as ReadableStream)
    outgoing.once('close', () => body.destroy())
    body.on('error', () => {})
    body.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  return new Request(`http://site${url}`, { method, headers: headers as Record<string, string>, ...body })
}
