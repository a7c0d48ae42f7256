import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createTape, readTape } from '../../src/observe/tape/index.ts'
import { startRecorder } from '../integrations/fetch/recorder.ts'
import { brokenBody, chatPath, healthyBody } from '../integrations/fetch/requests.ts'
import { metric, serve, talk, tcpUpstream, upstream } from '../integrations/proxy/serving.ts'

describe('no request leads anywhere but to the upstreams', () => {
  const climbing = [
    '/../secret',
    '/%2e%2e/secret',
    '/%2E./secret',
    '/%252e%252e/secret',
    '/%25252e%2525252e/secret',
    '/%25%32%65%25%32%65/secret',
    '/%2%65%2%65/secret',
    '/%%32%65%%32%65/secret',
    '/a%2f..%2fsecret',
    '/a%5c..%5csecret',
    '/a%25%32%66..%25%32%66secret',
    '/..;a=b/secret',
    '/a/..%3bx/secret',
    '/..%3fx',
    `/${'%25'.repeat(40)}2e${'%25'.repeat(40)}2e/secret`,
    `/${'%2532%35'.repeat(20)}`,
  ]

  test.each(climbing)('[SE2] %s does not lead out of the path of an upstream', async target => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: `${mine.url}/tenant` })
    const heard = await talk(port, `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    if (mine.requests.length === 0) expect(heard).toMatch(/^HTTP\/1\.1 400 /)
    for (const { path } of mine.requests) expect(decodedFully(path).split(/[/\\;?#]/)).not.toContain('..')
  })

  test.each([
    '/v1/models/gpt-4.1',
    '/v1/a..b/c',
    '/v1/...',
    '/v1/.hidden',
    '/v1/100%25',
    '/v1/%E2%82%AC.x',
    '/v1/%zz.',
  ])('[SE2] %s is an honest path and passes as it is', async target => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: `${mine.url}/tenant` })
    await talk(port, `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    expect(mine.requests.map(({ path }) => path)).toEqual([`/tenant${target}`])
  })

  const bought = ['evil.example.com', 'evil.com:8377', '127.0.0.1.evil.com', '127.evil.com', 'localhost.evil.com:80']

  test.each([...bought, 'evil.com.', 'xn--nxasmq6b.com', '1.1.1.1.nip.io', 'localtest.me', 'a,b.com', 'evil.com\t'])(
    '[SE3] a page whose own name %j leads here is turned away, for every path',
    async host => {
      await using mine = await startRecorder()
      const { url, port, proxyErrors } = await serve({ to: mine.url })
      for (const path of ['/v1/models', '/metrics', '/healthz', chatPath])
        expect(await talk(port, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).toMatch(
          /^HTTP\/1\.1 421 /,
        )
      expect(mine.requests).toEqual([])
      expect(proxyErrors).toHaveLength(4)
      expect(await metric(url, 'in_flight')).toBe(0)
    },
  )

  const own = [
    '127.0.0.1',
    'localhost:8377',
    '[::1]:8377',
    'LOCALHOST',
    'proxy',
    'host.docker.internal:8377',
    'me.local',
  ]

  test.each(own)('[SE3] under the name %j it answers', async host => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url })
    const heard = await talk(port, `GET /v1/models HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(heard).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([{}, { allowRemote: true }])('[SE189] a request with two Host headers is refused', async options => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url, ...options })
    const hosts = 'host: localhost\r\nHost: other.example.com'
    expect(await talk(port, `GET /v1/models HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    )
    expect(mine.requests).toEqual([])
  })

  test('[SE3] a proxy that others can reach accepts names of its own', async () => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url, allowRemote: true })
    const heard = await talk(port, 'GET /v1/models HTTP/1.1\r\nhost: llm.example.com\r\nconnection: close\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('what is one request for the proxy is one for the provider', () => {
  const inner = 'GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const length = `content-length: ${inner.length}`
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  const framings: [string, string[], string][] = [
    ['two lengths', ['content-length: 0', length], inner],
    ['the same length twice', [length, length], inner],
    ['lengths in a list', [`content-length: ${inner.length}, 0`], inner],
    ['a length with a sign', [`content-length: +${inner.length}`], inner],
    ['a length in other digits', ['content-length: 0x2f'], inner],
    ['a length and chunks', ['content-length: 4', 'transfer-encoding: chunked'], `0\r\n\r\n${inner}`],
    ['chunks and a length', ['transfer-encoding: chunked', 'content-length: 4'], `0\r\n\r\n${inner}`],
    ['a space in front of the colon', ['transfer-encoding : chunked', length], chunk],
    ['a coding that only looks like chunks', ['transfer-encoding: xchunked'], chunk],
    ['chunks that are not the last coding', ['transfer-encoding: chunked, identity'], chunk],
    ['a coding in two headers', ['transfer-encoding: identity', 'transfer-encoding: chunked'], chunk],
    ['a coding with a tab', ['transfer-encoding: \x0bchunked'], chunk],
    ['a header that is continued', ['x: a\r\n transfer-encoding: chunked'], inner],
    ['a line that ends with a line feed only', [`x: a\ntransfer-encoding: chunked`, length], inner],
    ['a carriage return in a header', [`x: a\rtransfer-encoding: chunked`, length], inner],
    ['a zero in a header', ['x: a\0b', length], inner],
    ['chunks with a length beyond all numbers', ['transfer-encoding: chunked'], `FFFFFFFFFFFFFFFF1\r\n${inner}`],
    ['a chunk that ends with a line feed only', ['transfer-encoding: chunked'], `1\nx\n0\n\n${inner}`],
    ['a trailer that names a length', ['transfer-encoding: chunked'], `1\r\nx\r\n0\r\ncontent-length: 9\r\n\r\n`],
    ['a length that is said to be between neighbours', [length, 'connection: content-length'], inner],
    ['keys that are said to be between neighbours', [length, 'connection: x-kept, close', 'x-kept: 1'], inner],
    [
      'a switch to HTTP/2',
      [length, 'connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AA'],
      inner,
    ],
    ['chunks as they should be', ['transfer-encoding: chunked'], chunk],
  ]

  test.each(framings)('[SE4] %s', async (_, headers, body) => {
    const wire: string[] = []
    const { url: to } = await tcpUpstream(socket => {
      wire.push('')
      const at = wire.length - 1
      socket.on('data', bytes => {
        wire[at] += bytes.toString('latin1')
        if (isWhole(wire[at])) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
      })
    })
    const { port, url } = await serve({ to })
    for (const path of ['/v1/files', chatPath]) {
      wire.length = 0
      const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers]
      const heard = await talk(port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'))
      expect(heard).toMatch(/^HTTP\/1\.1 (200|400|501) /)
      expect(wire.length).toBeLessThanOrEqual(1)
      for (const request of wire) if (request !== '') expectOne(request, path)
    }
    await expect.poll(() => metric(url, 'in_flight')).toBe(0)
  })

  test('[SE4] an answer of a provider cannot begin another one for the client', async () => {
    const { url: to } = await tcpUpstream(socket =>
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nx-forged: 1\r\ncontent-length: 0\r\n\r\n',
        ),
      ),
    )
    const { port } = await serve({ to })
    const heard = await talk(port, 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    expect(heard).not.toContain('x-forged')
    expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  test.each(['x: a\r\n\r\ninjected: 1', 'x: a\rinjected: 1', 'x: a\0b'])(
    '[SE4] a header %j of a provider injects none',
    async header => {
      const { url: to } = await tcpUpstream(socket =>
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\ncontent-length: 0\r\n\r\n`)),
      )
      const { url } = await serve({ to })
      const response = await fetch(`${url}/v1/models`).catch(() => undefined)
      expect(response?.headers.get('injected') ?? null).toBeNull()
    },
  )
})

describe('a few bytes that unpack to many', () => {
  const bomb = Buffer.alloc(16 * 1024 * 1024, ' ')
  const packings = { gzip: gzipSync(bomb), zstd: zstdCompressSync(bomb) }

  test.each(Object.entries(packings))('[SE5] a request in %s goes out as it came', async (encoding, packed) => {
    await using mine = await startRecorder()
    const { url, errors } = await serve({ to: mine.url, maxBytes: 1024 * 1024 })
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    expect((await fetch(url + chatPath, { method: 'POST', headers, body: packed })).status).toBe(200)
    expect(mine.requests[0].body.equals(packed)).toBe(true)
    expect(errors).toMatchObject([{ code: 'packed-request' }])
  })

  test.each(Object.entries(packings))(
    '[SE5] an answer in %s costs the tape no more than its content',
    async (encoding, packed) => {
      const lines: string[] = []
      const tape = createTape({ write: line => lines.push(line) })
      const { url: to } = await upstream((request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(packed)
      })
      const { port } = await serve({ to, tape })
      const head = `POST ${chatPath} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n`
      const heard = await talk(port, `${head}content-length: ${Buffer.byteLength(healthyBody)}\r\n\r\n${healthyBody}`)
      expect(heard).toMatch(/^HTTP\/1\.1 200 /)
      const kinds = (): string[] => readTape(lines.join('')).entries.map(({ kind }) => kind)
      await expect.poll(kinds, { timeout: 20_000 }).toEqual(['request', 'response'])
      expect(lines.join('').length).toBeLessThan(10_000)
    },
  )
})

test('[SE6] no key of a request is in what the proxy tells, whatever goes wrong', async () => {
  const told: string[] = []
  const note = (what: unknown): void => {
    told.push(JSON.stringify(what, (_, value) => (value instanceof Error ? { ...value, m: value.message } : value)))
  }
  const lines: string[] = []
  const tape = createTape({ write: line => lines.push(line), redact: false })
  const { url: to } = await tcpUpstream(socket => socket.once('data', () => socket.end('garbage hidden-no\r\n\r\n')))
  const { url } = await serve({ to, tape, onRepair: note, onProxyError: note, onError: note })
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer hidden-1',
    'x-api-key': 'hidden-2',
    'x-goog-api-key': 'hidden-3',
    cookie: 'hidden-4',
  }
  for (const path of [chatPath, '/v1beta/models/gemini:generateContent', '/v1/models'])
    for (const query of ['?key=hidden-5', '?api_key=hidden-6&alt=sse']) {
      const response = await fetch(url + path + query, { method: 'POST', headers, body: brokenBody })
      told.push(await response.text(), JSON.stringify([...response.headers]))
    }
  told.push(await (await fetch(`${url}/metrics`)).text(), lines.join(''))
  expect(told.join('\n')).not.toMatch(/hidden-\d/)
  expect(lines.length).toBeGreaterThan(3)
})

/** What a server makes of a path that takes every escape away, however often it was escaped. */
function decodedFully(path: string): string {
  let last = path
  for (let round = 0; round < 200; round++) {
    const next = last.replaceAll(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    if (next === last) break
    last = next
  }
  return last
}

/** Whether a request has come whole, told by what it says of its length. */
function isWhole(request: string): boolean {
  const [head, ...rest] = request.split('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return rest.join('\r\n\r\n').length >= Number(length)
  return /\r\ntransfer-encoding: chunked/i.test(head) ? request.endsWith('0\r\n\r\n') : rest.length > 0
}

/** One request for this path, whole or cut off, with one length and nothing after it. */
function expectOne(request: string, path: string): void {
  const [head, ...rest] = request.split('\r\n\r\n')
  const lengths = [...head.matchAll(/\r\n(content-length|transfer-encoding): (\S+)/gi)]
  expect(head.split('\r\n')[0]).toBe(`POST ${path} HTTP/1.1`)
  expect(lengths).toHaveLength(1)
  expect(head).not.toMatch(/\n(upgrade|http2-settings|x-kept|trailer):/i)
  const [, name, value] = lengths[0]
  const body = rest.join('\r\n\r\n')
  if (name.toLowerCase() === 'content-length') expect(body.length).toBeLessThanOrEqual(Number(value))
  else expect(body.split('\r\n0\r\n\r\n').slice(1).join('')).toBe('')
}
