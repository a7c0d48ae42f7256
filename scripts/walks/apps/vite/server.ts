import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join, normalize } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { handle } from './handler.ts'

// What Vite has built, and the handler under /api/chat.
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

createServer(async (incoming, outgoing) => {
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
  if (!pathname.startsWith('/api/chat')) {
    const file = join(import.meta.dirname, 'dist', normalize(pathname === '/' ? 'index.html' : pathname))
    if (!existsSync(file)) return void outgoing.writeHead(404).end()
    outgoing.writeHead(200, { 'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' })
    return void createReadStream(file).pipe(outgoing)
  }
  const response = await handle(await requestOf(incoming))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (!response.body) return void outgoing.end()
  const body = Readable.fromWeb(response.body as ReadableStream)
  outgoing.once('close', () => body.destroy())
  body.on('error', () => outgoing.destroy())
  body.pipe(outgoing)
}).listen(Number(process.env.PORT), '127.0.0.1')

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  return new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string>, ...body })
}
