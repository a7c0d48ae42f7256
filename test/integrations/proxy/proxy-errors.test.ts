import { once } from 'node:events'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { brokenBody, chatPath, healthyBody, post } from '../fetch/requests.ts'
import { certificate, key } from './certificate.ts'
import { errorIn, metric, serve, talk, tcpUpstream, upstream } from './serving.ts'

/** Every kind of request that reaches a provider: healed, left alone, and streamed through. */
const requests: [name: string, path: string, body: string][] = [
  ['healed', chatPath, brokenBody],
  ['healthy', chatPath, healthyBody],
  ['streamed', '/v1/files', brokenBody],
]

describe.each(requests)('%s', (_, path, body) => {
  test('[PX21] an unreachable upstream is 502', async () => {
    const { url: to, close } = await tcpUpstream(() => {})
    await close()
    const { url, proxyErrors } = await serve({ to })
    const response = await fetch(url + path, post(body))
    expect(response.status).toBe(502)
    expect(await errorIn(response)).toEqual({
      type: 'antiphon_proxy',
      code: 'upstream-down',
      message: `no answer from ${to}: nothing listens there (ECONNREFUSED)`,
      hint: 'check that --to names a server that is up and can be reached from here',
    })
    expect(proxyErrors).toMatchObject([{ kind: 'upstream-down', status: 502 }])
    await lives(url)
  })

  test('[PX21] a slow upstream is 504', async () => {
    const { url: to } = await upstream(request => request.resume())
    const { url } = await serve({ to, timeoutMs: 50 })
    const response = await fetch(url + path, post(body))
    expect([response.status, (await errorIn(response)).code]).toEqual([504, 'upstream-slow'])
    await lives(url)
  })

  test('[PX21] an upstream that resets the connection is 502', async () => {
    const { url: to } = await tcpUpstream(socket => socket.once('data', () => socket.resetAndDestroy()))
    const { url } = await serve({ to })
    const response = await fetch(url + path, post(body))
    expect([response.status, (await errorIn(response)).code]).toEqual([502, 'upstream-down'])
    await lives(url)
  })

  test('[PX21] an upstream that answers garbage is 502', async () => {
    const { url: to } = await tcpUpstream(socket =>
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')),
    )
    const { url } = await serve({ to })
    const response = await fetch(url + path, post(body))
    expect([response.status, (await errorIn(response)).code]).toEqual([502, 'upstream-garbage'])
    await lives(url)
  })

  test('[PX22] an answer that breaks off also breaks off for the client', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'
    const answers = [
      `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      `${head}content-length: 99\r\n\r\nabc`,
      `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n`,
    ]
    for (const answer of answers) {
      const { url: to } = await tcpUpstream(socket => socket.once('data', () => socket.end(answer)))
      const { url, proxyErrors } = await serve({ to })
      const response = await fetch(url + path, post(body))
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow()
      expect(proxyErrors).toMatchObject([{ kind: 'upstream-cut' }])
      await lives(url)
    }
  })

  test('[PX35] a status message with characters that HTTP does not allow is dropped', async () => {
    for (const reason of ['Größe', '漢字', 'a\u0001b']) {
      const { url: to } = await tcpUpstream(socket =>
        socket.once('data', () => socket.end(`HTTP/1.1 200 ${reason}\r\nx-a: b\r\ncontent-length: 2\r\n\r\nok`)),
      )
      const { url, proxyErrors } = await serve({ to })
      const response = await fetch(url + path, post(body))
      expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([200, 'b', 'ok'])
      expect(proxyErrors).toEqual([])
    }
  })

  test('[PX22] an answer that stops sending is cut off', async () => {
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.write('data: one\n\n')
    })
    const { url, proxyErrors } = await serve({ to, timeoutMs: 100 })
    const response = await fetch(url + path, post(body))
    await expect(response.text()).rejects.toThrow()
    expect(proxyErrors).toMatchObject([{ kind: 'upstream-cut', status: 504 }])
    await lives(url)
  })
})

test('[PX37] an upstream whose certificate is not trusted is 502, with a hint', async () => {
  const server = createServer({ key, cert: certificate }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const { url } = await serve({ to: `https://localhost:${(server.address() as AddressInfo).port}` })
  const response = await fetch(url + chatPath, post(brokenBody))
  expect(response.status).toBe(502)
  expect(await errorIn(response)).toMatchObject({
    code: 'upstream-down',
    message: expect.stringContaining('has a certificate that is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  })
  await lives(url)
})

describe('bodies', () => {
  const hundred = 100 * 1024 * 1024

  test('[PX23] a history of 100 MB is 413, with a length or without', async () => {
    await using server = await startRecorder()
    const { url, port, proxyErrors } = await serve({ to: server.url })
    const chunk = Buffer.alloc(1024 * 1024, 'a')
    for (const length of [hundred, undefined]) {
      // As clients do that read nothing before they have sent everything.
      const socket = connect(port, '127.0.0.1').pause()
      const size = length ? `content-length: ${length}` : 'transfer-encoding: chunked'
      socket.write(`POST ${chatPath} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${size}\r\n\r\n`)
      for (let sent = 0; sent < hundred; sent += chunk.length) {
        if (!length) socket.write('100000\r\n')
        socket.write(chunk)
        if (!socket.write(length ? '' : '\r\n')) await once(socket, 'drain')
      }
      socket.end(length ? '' : '0\r\n\r\n')
      let text = ''
      for await (const piece of socket) text += piece
      expect(text).toMatch(/^HTTP\/1\.1 413 .*"type":"antiphon_proxy","code":"too-long".*--body-limit/s)
    }
    expect(proxyErrors.length).toBe(2)
    expect(server.requests).toEqual([])
    await lives(url)
  })

  test('[PX23] a client that waits for 100 Continue gets the error before it sends its body', async () => {
    await using server = await startRecorder()
    const { port } = await serve({ to: server.url, maxBytes: 10 })
    const head = `POST ${chatPath} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 11\r\n\r\n`
    expect(await talk(port, head)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('[PX23] a request without a history has no limit', async () => {
    await using server = await startRecorder()
    const { url } = await serve({ to: server.url, maxBytes: 10 })
    expect((await fetch(`${url}/v1/files`, post(brokenBody))).status).toBe(200)
    expect(server.requests[0].body.toString()).toBe(brokenBody)
  })

  test('[PX24] a body that is not JSON, cut off or badly compressed is answered by the provider', async () => {
    await using strict = await startStrict()
    const { url } = await serve({ to: strict.url })
    const packed = gzipSync(brokenBody)
    const bodies: [body: string | Buffer, encoding: string | undefined][] = [
      ['no JSON at all', undefined],
      [brokenBody.slice(0, 50), undefined],
      [packed.subarray(0, packed.length - 20), 'gzip'],
      [brokenBody, 'gzip'],
    ]
    for (const [body, encoding] of bodies) {
      const ask = async (base: string) => {
        const headers: Record<string, string> = encoding ? { 'content-encoding': encoding } : {}
        const response = await fetch(base + chatPath, post(body as string, { headers }))
        return [response.status, await response.text()]
      }
      expect(await ask(url)).toEqual(await ask(strict.url))
    }
    await lives(url)
  })

  test('[PX24] fewer bytes than content-length are 400, and the provider gets nothing', async () => {
    await using server = await startRecorder()
    const { url, port } = await serve({ to: server.url })
    for (const path of [chatPath, '/v1/files']) {
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n`
      const answer = await talk(port, head + brokenBody, { end: true })
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*the request body is shorter than its content-length/s)
    }
    expect(server.requests).toEqual([])
    await expect.poll(() => metric(url, 'in_flight')).toBe(0)
    await lives(url)
  })

  test('[PX24] more bytes than content-length are not a second request to the provider', async () => {
    await using server = await startRecorder()
    const { url, port } = await serve({ to: server.url })
    const head = `POST ${chatPath} HTTP/1.1\r\nhost: a\r\ncontent-length: 20\r\n\r\n`
    const answer = await talk(port, head + brokenBody)
    expect(answer).toMatch(/HTTP\/1\.1 400 .*not an HTTP request/s)
    expect(server.requests.map(({ body }) => body.toString())).toEqual([brokenBody.slice(0, 20)])
    await lives(url)
  })

  test('[PX24] a client that stops in the middle of its body gets 408 in the end', async () => {
    await using server = await startRecorder()
    const { url, port, proxy } = await serve({ to: server.url, requestMs: 300 })
    const head = `POST ${chatPath} HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n`
    expect(await talk(port, head + brokenBody)).toMatch(/^HTTP\/1\.1 408 /)
    expect(proxy.url).toBe(url)
    await lives(url)
  })

  test('[PX24] input that is not HTTP, or has two lengths, is 400', async () => {
    await using server = await startRecorder()
    const { url, port } = await serve({ to: server.url })
    const smuggled = `POST ${chatPath} HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`
    for (const bytes of ['\x16\x03\x01\x02\x00\x01\x00', 'GET /\x01 HTTP/1.1\r\n\r\n', smuggled])
      expect(await talk(port, bytes)).toMatch(/^HTTP\/1\.1 400 .*antiphon_proxy/s)
    expect(await talk(port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
    expect(server.requests).toEqual([])
    await lives(url)
  })

  test('[PX24] a client that disconnects in the middle of its body leaves nothing open', async () => {
    await using server = await startRecorder()
    const { url, port } = await serve({ to: server.url })
    for (const path of [chatPath, '/v1/files']) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n{`)
      await expect.poll(() => metric(url, 'in_flight')).toBe(1)
      socket.resetAndDestroy()
      await expect.poll(() => metric(url, 'in_flight')).toBe(0)
    }
    expect(server.requests).toEqual([])
    await lives(url)
  })
})

/** The proxy still answers, and nothing is left under way. */
async function lives(url: string): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await expect.poll(() => metric(url, 'in_flight')).toBe(0)
}
