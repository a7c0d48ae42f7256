import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from '../fetch/requests.ts'
import { certificate, key } from './certificate.ts'
import { metric, serve, talk, tcpUpstream, upstream } from './serving.ts'

describe('requests', () => {
  const bodies: Record<string, [path: string, body: string | Buffer]> = {
    'a healthy history': [chatPath, healthyBody],
    'a history at a path that takes none': ['/v1/embeddings', brokenBody],
    'a body that is no JSON': [chatPath, 'messages=all&of=them'],
    'a body that is cut off': [chatPath, brokenBody.slice(0, -9)],
    'a body that is no text': [chatPath, Buffer.from([0xff, 0xfe, 0, 1, 2])],
    'a body in another shape': [chatPath, '{"messages":{"a":1}}'],
    'an empty body': [chatPath, ''],
    'something that says it is gzip': [chatPath, 'not gzip'],
  }

  test.each(Object.entries(bodies))('[PX3] %s is forwarded byte for byte', async (name, [path, body]) => {
    await using server = await startRecorder()
    const { url, reports, errors } = await serve({ to: server.url })
    const headers: Record<string, string> = name.includes('gzip') ? { 'content-encoding': 'gzip' } : {}
    expect((await fetch(url + path, post(body as string, { headers }))).status).toBe(200)
    expect(server.requests[0].body.equals(Buffer.from(body))).toBe(true)
    expect(reports).toEqual([])
    expect(errors).toMatchObject(name.includes('gzip') ? [{ code: 'packed-request' }] : [])
  })

  test('[PX3] a body in chunks, without a length, is forwarded unchanged', async () => {
    await using server = await startRecorder()
    const { url } = await serve({ to: server.url })
    const bytes = Buffer.from(healthyBody)
    for (const path of [chatPath, '/v1/files']) {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
      }
      await fetch(url + path, post(ReadableStream.from(pieces()), { duplex: 'half' }))
    }
    expect(server.requests.map(({ body }) => body.toString())).toEqual([healthyBody, healthyBody])
  })

  test('[PX4] a broken history is forwarded repaired, with headers that match it', async () => {
    await using server = await startRecorder()
    const { url } = await serve({ to: server.url })
    const headers = { 'content-digest': 'sha-256=:x:', 'content-type': 'application/json', 'X-Mine': 'a' }
    const response = await fetch(url + chatPath, post(brokenBody, { headers }))
    const [{ body, headers: sent }] = server.requests
    expect(messagesOf(body).length).toBe(4)
    expect(sent).toMatchObject({ 'content-length': String(body.length), 'x-mine': 'a' })
    expect(sent['content-digest']).toBeUndefined()
    expect(response.headers.get('x-antiphon-repairs')).toBe('unanswered-call=1')
  })

  test.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
    '[PX4] a broken history in %s is forwarded repaired, and uncompressed',
    async form => {
      const zlib = await import('node:zlib')
      const { gzipSync, deflateSync, brotliCompressSync, zstdCompressSync } = zlib
      const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }[form]
      await using server = await startRecorder()
      const { url } = await serve({ to: server.url })
      const headers = { 'content-encoding': form }
      await fetch(url + chatPath, post(pack(brokenBody), { headers }))
      await fetch(url + chatPath, post(pack(healthyBody), { headers }))
      const [healed, healthy] = server.requests
      expect(messagesOf(healed.body).length).toBe(4)
      expect(healed.headers['content-encoding']).toBeUndefined()
      expect(healthy.body.equals(pack(healthyBody))).toBe(true)
      expect(healthy.headers['content-encoding']).toBe(form)
    },
  )

  test('[PX4] a body that exceeds the limit once decompressed is forwarded unchanged', async () => {
    await using server = await startRecorder()
    const { url } = await serve({ to: server.url, maxBytes: 1000 })
    const packed = gzipSync(brokenBody.replace('Book the flight.', 'a'.repeat(5000)))
    expect((await fetch(url + chatPath, post(packed, { headers: { 'content-encoding': 'gzip' } }))).status).toBe(200)
    expect(server.requests[0].body.equals(packed)).toBe(true)
  })

  test('[PX33] a body that cannot be decompressed is forwarded unchanged, counted, and reported once', async () => {
    await using server = await startRecorder()
    const { url, errors } = await serve({ to: server.url })
    for (const encoding of ['secret-encoding', 'gzip, br', 'gzip'])
      await fetch(url + chatPath, post(brokenBody, { headers: { 'content-encoding': encoding } }))
    expect(server.requests.map(({ body }) => body.toString())).toEqual([brokenBody, brokenBody, brokenBody])
    expect(errors).toMatchObject([{ code: 'packed-request' }])
    expect(String(errors)).not.toContain('secret')
    expect(await metric(url, 'unhealed_total', { reason: 'packed' })).toBe(3)
  })

  test('[PX34] an unsupported transfer-encoding is rejected', async () => {
    await using server = await startRecorder()
    const { port } = await serve({ to: server.url })
    for (const path of [chatPath, '/v1/files']) {
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: gzip, chunked\r\n\r\n`
      expect(await talk(port, `${head}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 501 .*"code":"bad-request"/s)
    }
    expect(server.requests).toEqual([])
  })

  test('[PX5] headers keep their spelling and order, except hop-by-hop headers', async () => {
    const seen: string[][] = []
    const { url: to } = await upstream((request, response) => {
      seen.push(request.rawHeaders)
      request.resume().on('end', () => response.end())
    })
    const { port } = await serve({ to })
    const lines = [
      'POST /v1/chat/completions?api-version=1&x=%20y HTTP/1.1',
      'Host: elsewhere.example:99',
      'X-Stainless-Lang: js',
      'Authorization: Bearer secret',
      'Accept-Encoding: gzip, br',
      'x-twice: 1',
      'X-Twice: 2',
      'Connection: close, X-Hop',
      'connection: X-Other , x-third',
      'X-Hop: mine',
      'X-Other: mine',
      'X-Third: mine',
      'Keep-Alive: timeout=5',
      'Proxy-Authorization: Basic x',
      'TE: trailers',
      'Upgrade: h2c',
      `Content-Length: ${healthyBody.length}`,
    ]
    expect(await talk(port, `${lines.join('\r\n')}\r\n\r\n${healthyBody}`)).toMatch(/^HTTP\/1\.1 200 /)
    const [flat] = seen
    const pairs = flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${flat[index + 1]}`] : []))
    expect(pairs.filter(pair => !/^(host|connection|content-length):/i.test(pair))).toEqual([
      'X-Stainless-Lang: js',
      'Authorization: Bearer secret',
      'Accept-Encoding: gzip, br',
      'x-twice: 1',
      'X-Twice: 2',
    ])
    expect(pairs).toContain(`host: ${new URL(to).host}`)
    expect(pairs).toContain(`content-length: ${healthyBody.length}`)
  })

  test('[PX5] any number of headers is forwarded', async () => {
    const seen: string[] = []
    const { url: to } = await tcpUpstream(socket => {
      let heard = ''
      socket.on('data', chunk => {
        heard += chunk
        if (!heard.includes('\r\n\r\n')) return
        seen.push(...heard.split('\r\n'))
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const { port } = await serve({ to })
    const lines = Array.from({ length: 3000 }, (_, index) => `x-${index}: a`)
    await talk(port, `GET /v1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n`)
    expect(seen.filter(line => line.startsWith('x-'))).toEqual(lines)
  })

  test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('[PX3] %s is forwarded', async method => {
    await using server = await startRecorder({ status: 201, headers: { 'x-server': 'a' } })
    const { url } = await serve({ to: `${server.url}/base/` })
    const body = method === 'PUT' || method === 'PATCH' ? brokenBody : undefined
    const response = await fetch(`${url}/v1/models/a%2Fb?limit=2&key=k`, { method, ...(body && { body }) })
    expect([response.status, response.headers.get('x-server')]).toEqual([201, 'a'])
    expect(server.requests[0]).toMatchObject({ method, path: '/base/v1/models/a%2Fb?limit=2&key=k' })
    expect(server.requests[0].body.toString()).toBe(body ?? '')
  })

  test('[PX3] a form is forwarded unchanged', async () => {
    await using server = await startRecorder()
    const { url } = await serve({ to: server.url })
    const form = new FormData()
    form.set('messages', new Blob([brokenBody]))
    await fetch(url + chatPath, { method: 'POST', body: form })
    expect(server.requests[0].body.toString()).toContain(brokenBody)
  })

  test('[PX6] a client that waits for 100 Continue gets it', async () => {
    await using server = await startRecorder()
    const { port } = await serve({ to: server.url })
    for (const path of [chatPath, '/v1/files']) {
      const length = Buffer.byteLength(brokenBody)
      const headers = { expect: '100-continue', 'content-length': length }
      const asking = httpRequest({ port, path, method: 'POST', headers })
      asking.flushHeaders()
      await once(asking, 'continue')
      asking.end(brokenBody)
      const [response] = await once(asking, 'response')
      response.resume()
      expect(response.statusCode).toBe(200)
    }
    expect(messagesOf(server.requests[0].body).length).toBe(4)
    expect(server.requests[1].body.toString()).toBe(brokenBody)
    expect(server.requests.map(({ headers }) => headers.expect)).toEqual([undefined, undefined])
  })

  test('[PX12] a request that is signed over its body is forwarded unchanged, with one warning', async () => {
    await using server = await startRecorder()
    const { url, errors, reports } = await serve({ to: server.url })
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x, Signature=y' }
    for (let time = 0; time < 3; time++) await fetch(url + chatPath, post(brokenBody, { headers }))
    expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill(brokenBody))
    expect(errors).toMatchObject([{ code: 'signed-request' }])
    expect(reports).toEqual([])
    expect(await metric(url, 'unhealed_total', { reason: 'signed' })).toBe(3)
  })

  test('[PX12] if healing fails the original is forwarded, and the failure is reported', async () => {
    await using server = await startRecorder()
    const { url, errors } = await serve({ to: server.url })
    const body = brokenBody.replace('"Book the flight."', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect((await fetch(url + chatPath, post(body))).status).toBe(200)
    expect(server.requests[0].body.toString() === body).toBe(true)
    expect(errors).toEqual([expect.any(RangeError)])
    expect(await metric(url, 'unhealed_total', { reason: 'failed' })).toBe(1)
  })

  test('[PX11] a dry run reports what would be repaired, and changes nothing', async () => {
    await using strict = await startStrict()
    const { url, reports } = await serve({ to: strict.url, dryRun: true })
    const response = await fetch(url + chatPath, post(brokenBody))
    expect(response.status).toBe(400)
    expect(response.headers.get('x-antiphon-repairs')).toBe('unanswered-call=1')
    expect(response.headers.get('x-antiphon-dry-run')).toBe('true')
    expect(strict.requests.length).toBe(1)
    expect(reports).toMatchObject([{ dryRun: true, repairs: [{ rule: 'unanswered-call' }] }])
    expect(await metric(url, 'repairs_total', { applied: 'false' })).toBe(1)
    expect(await metric(url, 'repairs_total', { applied: 'true' })).toBe(0)
  })

  test('[PX10] the dialect is identified by the caller, the host, the name of the route, the path and the model', async () => {
    await using strict = await startStrict()
    const mistral = { body: brokenBody, path: chatPath }
    const cases: [to: string | Record<string, string>, path: string, options: object, dialect: string][] = [
      [strict.url, mistral.path, { for: 'qwen-template' }, 'qwen-template'],
      [strict.url, '/deepseek/v1/chat/completions', {}, 'deepseek'],
      [{ mistral: strict.url }, `/mistral${chatPath}`, {}, 'mistral'],
      [{ 'qwen-template': strict.url }, `/qwen-template${chatPath}`, {}, 'qwen-template'],
      [{ openai: strict.url }, `/openai${chatPath}`, {}, 'openai'],
    ]
    for (const [to, path, options, dialect] of cases) {
      const { url, reports } = await serve({ to, ...options })
      await fetch(url + path, post(brokenBody))
      expect(reports.map(report => report.dialect)).toEqual([dialect])
    }
  })
})

describe('answers', () => {
  test('[PX7] a compressed answer is passed on unchanged, with its headers', async () => {
    const packed = gzipSync('{"a":1}')
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.writeHead(200, 'Fine', {
        'Content-Encoding': 'gzip',
        'Content-Length': packed.length,
        'Set-Cookie': ['a', 'b'],
      })
      response.end(packed)
    })
    const { port } = await serve({ to })
    const asking = httpRequest({ port, path: chatPath, method: 'POST' }).end(brokenBody)
    const [response] = await once(asking, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('{"a":1}')
    expect([response.statusCode, response.statusMessage]).toEqual([200, 'Fine'])
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', 'set-cookie': ['a', 'b'] })
    expect(response.rawHeaders).toContain('Set-Cookie')
  })

  test('[PX7] a stream is passed on event by event, its head with its first event, or before it if there is nothing to heal', async () => {
    const waiting = resolvers<void>()
    const { url: to } = await upstream(async (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      if (request.url === chatPath) response.write('data: one\n\n')
      await waiting.promise
      response.write('data: two\n\n')
    })
    const { url } = await serve({ to })
    const answers = [await fetch(url + chatPath, post(brokenBody)), await fetch(`${url}/v1/events`, post(brokenBody))]
    for (const response of answers) expect(response.headers.get('content-type')).toBe('text/event-stream')
    const [reader, other] = answers.map(({ body }) => (body as ReadableStream<Uint8Array>).getReader())
    const read = async (from = reader) => Buffer.from((await from.read()).value ?? []).toString()
    expect(await read()).toBe('data: one\n\n')
    waiting.resolve()
    expect(await read()).toBe('data: two\n\n')
    expect(await read(other)).toBe('data: two\n\n')
    await Promise.all([reader.cancel(), other.cancel()])
  })

  test('[PX7] an upload is streamed if there is nothing to heal', async () => {
    const first = resolvers<string>()
    const { url: to } = await upstream(async (request, response) => {
      request.once('data', chunk => first.resolve(String(chunk)))
      request.on('end', () => response.end('done'))
    })
    const { port } = await serve({ to })
    const asking = httpRequest({ port, path: '/v1/files', method: 'POST' })
    asking.write('one')
    expect(await first.promise).toBe('one')
    asking.end('two')
    const [response] = await once(asking, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  test('[PX7] a client that reads slowly slows the provider down', async () => {
    const chunk = Buffer.alloc(256 * 1024)
    let written = 0
    const { url: to } = await upstream((request, response) => {
      request.resume()
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
      }
      response.on('drain', more)
      more()
    })
    const { port } = await serve({ to })
    const asking = httpRequest({ port, path: '/v1/files', method: 'GET' }).end()
    const [response] = await once(asking, 'response')
    let before = -1
    while (before !== written) {
      before = written
      await delay(200)
    }
    expect(written).toBeLessThan(64 * 1024 * 1024)
    response.destroy()
  })

  test('[PX8] a client that disconnects ends the request to the provider, before the answer and during it', async () => {
    let gone = 0
    const arrived: (() => void)[] = []
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.on('close', () => gone++)
      if (request.url?.includes('stream')) response.write('data: one\n\n')
      arrived.shift()?.()
    })
    const { url } = await serve({ to })
    for (const [index, query] of ['', '?stream'].entries()) {
      for (const path of [chatPath, '/v1/files']) {
        const controller = new AbortController()
        const arrival = new Promise<void>(resolve => arrived.push(resolve))
        const asking = fetch(url + path + query, post(brokenBody, { signal: controller.signal })).catch(() => undefined)
        await arrival
        if (index === 1) await asking
        controller.abort()
        await asking
      }
    }
    await expect.poll(() => gone).toBe(4)
    await expect.poll(() => metric(url, 'in_flight')).toBe(0)
    expect(await metric(url, 'requests_total', { status: 'cut' })).toBe(4)
  })

  test('[PX9] over HTTP/1.1, also if the provider supports HTTP/2: there it could cut answers when it retires a connection', async () => {
    const versions: string[] = []
    const server = createSecureServer({ key, cert: certificate, allowHTTP1: true }, async (request, response) => {
      versions.push(request.httpVersion)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-from': 'provider' })
      response.write(`data: ${messagesOf(Buffer.concat(chunks)).length}\n\n`)
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const { url } = await serve({ to: `https://localhost:${port}`, connect: { ca: certificate } })
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const response = await fetch(url + chatPath, post(brokenBody))
        return [response.headers.get('x-from'), response.headers.get('x-antiphon-repairs'), await response.text()]
      }),
    )
    expect(answers).toEqual(Array(5).fill(['provider', 'unanswered-call=1', 'data: 4\n\n']))
    expect(versions).toEqual(Array(5).fill('1.1'))
  })

  test('[PX9] connections are kept alive on both sides', async () => {
    const { url: to, sockets } = await upstream((request, response) =>
      request.resume().on('end', () => response.end('{}')),
    )
    const { url } = await serve({ to })
    for (let time = 0; time < 5; time++) await (await fetch(url + chatPath, post(brokenBody))).text()
    expect(sockets.size).toBe(1)
  })
})

function resolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
