import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

/** A site of a few files on this machine. */
export interface Site {
  readonly url: string
  set(path: string, text: string): void
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

/** Serves the files of a folder, and what is set beside them. Its pages may load nothing from elsewhere, and evaluate nothing. */
export async function serve(folder: string): Promise<Site> {
  // A browser asks for this by itself.
  const texts = new Map([['/favicon.ico', '']])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const text = texts.get(pathname)
    const reading = text === undefined ? readFile(join(folder, pathname), 'utf8') : Promise.resolve(text)
    const head = {
      'content-type': types[extname(pathname)] ?? 'text/plain',
      'content-security-policy': "default-src 'self'",
    }
    reading.then(
      body => response.writeHead(200, { ...head, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (path, text) => void texts.set(path, text),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
