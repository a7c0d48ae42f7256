import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { root } from '../../../repository.ts'

/** The site, built once for a file of tests and served as a static host does it. */
export function siteOfFile(): { readonly url: string; readonly folder: string; readonly unanswered: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-site-'))
  const unanswered: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)
    try {
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
    } catch {
      unanswered.push(path)
      response.writeHead(404).end()
    }
  })
  const site = { url: '', folder, unanswered }
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/site/build.ts', '--out', folder], { cwd: root })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return site
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
