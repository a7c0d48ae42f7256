import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startProxy } from '../../../src/integrations/proxy/index.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { brokenBody, chatPath, messagesOf, post } from '../fetch/requests.ts'
import { errorIn, metric, serve, talk } from './serving.ts'

test('[PX14] with names, the first part of a path selects the upstream', async () => {
  await using one = await startRecorder()
  await using other = await startRecorder()
  const { url, reports } = await serve({ to: { openai: `${one.url}/v9`, anthropic: other.url } })
  await fetch(`${url}/openai/chat/completions?a=1`, post(brokenBody))
  await fetch(`${url}/anthropic/v1/models`)
  await fetch(`${url}/anthropic`)
  expect(one.requests.map(({ path }) => path)).toEqual(['/v9/chat/completions?a=1'])
  expect(messagesOf(one.requests[0].body).length).toBe(4)
  expect(other.requests.map(({ path }) => path)).toEqual(['/v1/models', '/'])
  expect(reports).toMatchObject([{ route: 'openai', url: `${one.url}/v9/chat/completions` }])
  expect(await metric(url, 'requests_total', { route: 'anthropic', status: '200' })).toBe(2)
})

test('[PX14] a path that does not name an upstream is 404, and the answer lists the names', async () => {
  await using one = await startRecorder()
  const { url, proxyErrors } = await serve({ to: { openai: one.url, anthropic: one.url } })
  for (const path of ['/v1/chat/completions', '/', '/openaix/v1', '/OpenAI/v1', '/constructor/v1']) {
    const response = await fetch(url + path)
    expect(response.status).toBe(404)
    expect(await errorIn(response)).toEqual({
      type: 'antiphon_proxy',
      code: 'no-route',
      message: 'the path does not name an upstream',
      hint: 'begin the path with one of: /openai, /anthropic',
    })
  }
  expect(one.requests).toEqual([])
  expect(proxyErrors.length).toBe(5)
  expect(await metric(url, 'requests_total', { route: 'none', status: '404' })).toBe(5)
})

test('[PX15] no request is sent anywhere but to the upstreams', async () => {
  await using mine = await startRecorder()
  await using other = await startRecorder()
  const { host, port: otherPort } = new URL(other.url)
  const { port } = await serve({ to: `${mine.url}/base` })
  const targets = [
    `http://${host}/v1/models`,
    `//${host}/v1/models`,
    `/\\${host}/v1/models`,
    `/@${host}/v1/models`,
    `/v1?url=http://${host}/`,
    '*',
    '/../v1/models',
    '/v1/%2e%2E/../models',
    '/v1/..%2f..%2fmodels',
    '/v1/..',
    '/./v1',
    '/..;/models',
    '/..;v=1/models',
    '/..#/models',
    '/..%23',
    '/%252e%252e/models',
    '/v1/..%252f..%25252fmodels',
  ]
  const answers: string[] = []
  for (const target of targets)
    answers.push(await talk(port, `OPTIONS ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`))
  answers.push(await talk(port, `CONNECT 127.0.0.1:${otherPort} HTTP/1.1\r\nhost: ${host}\r\n\r\n`))
  expect(other.requests).toEqual([])
  expect(mine.requests.map(({ path }) => path.startsWith('/base/'))).toEqual(Array(4).fill(true))
  expect(mine.requests.map(({ headers }) => headers.host)).toEqual(Array(4).fill(new URL(mine.url).host))
  expect(answers.filter(answer => answer.startsWith('HTTP/1.1 400 ')).length).toBe(targets.length + 1 - 4)
})

test('[PX15] a redirect is left to the client', async () => {
  await using other = await startRecorder()
  await using mine = await startRecorder({ status: 307, headers: { location: `${other.url}/elsewhere` } })
  const { url } = await serve({ to: mine.url })
  const response = await fetch(url + chatPath, post(brokenBody, { redirect: 'manual' }))
  expect([response.status, response.headers.get('location')]).toEqual([307, `${other.url}/elsewhere`])
  expect(other.requests).toEqual([])
})

test('[PX16] it listens on loopback only, unless remote addresses are allowed', async () => {
  const start = (host: string, allowRemote = false) =>
    startProxy({ to: 'http://127.0.0.1:1', port: 0, host, allowRemote })
  for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.com', '127.0.0.1.example.com'])
    await expect(start(host)).rejects.toMatchObject({
      code: 'remote-host',
      hint: 'to allow that, add --allow-remote, in code allowRemote: true',
    })
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.2']) await (await start(host)).close()
  const open = await start('0.0.0.0', true)
  expect((await fetch(`http://127.0.0.1:${open.port}/healthz`)).status).toBe(200)
  await open.close()
})

test('[PX16] an upstream that is not a URL, contains a key or is the proxy itself is reported at the start', async () => {
  const wrong: [to: string | Record<string, string>, words: RegExp][] = [
    ['api.openai.com', /must be a URL: "api\.openai\.com"/],
    ['ftp://a', /must be a URL/],
    ['https://user:secret@a.example', /a user name or a password: "https:\/\/\*\*\*@a\.example"/],
    ['https://a.example/v1?key=secret', /must not contain a query: "https:\/\/a\.example\/v1\?\*\*\*"/],
    [{ 'a b': 'https://a.example' }, /"a b" cannot be the name/],
    [{ metrics: 'https://a.example' }, /"metrics" is a path of the proxy itself/],
    [{}, /no upstream given/],
  ]
  for (const [to, words] of wrong) await expect(startProxy({ to, port: 0 })).rejects.toThrow(words)
  const free = createServer().listen(0, '127.0.0.1')
  const { port } = await new Promise<{ port: number }>(resolve =>
    free.on('listening', () => resolve(free.address() as { port: number })),
  )
  await expect(startProxy({ to: 'https://a.example', port })).rejects.toMatchObject({ code: 'port-in-use' })
  await new Promise(resolve => free.close(resolve))
  await expect(startProxy({ to: `http://localhost:${port}/v1`, port })).rejects.toMatchObject({ code: 'own-upstream' })
  await expect(startProxy({ to: 'https://a.example', port: 0, for: 'nobody' as never })).rejects.toThrow('nobody')
})

test('[PX17] the proxy answers its own paths, and only for reading methods', async () => {
  await using server = await startRecorder()
  const { url } = await serve({ to: { openai: `${server.url}/v1` } })
  const healthz = await fetch(`${url}/healthz?x=1`)
  expect(await healthz.json()).toEqual({ status: 'ok', to: [{ name: 'openai', url: `${server.url}/v1` }] })
  const metrics = await fetch(`${url}/metrics`)
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await metrics.text()).toMatch(/^antiphon_proxy_in_flight 0$/m)
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/metrics/x`)).status).toBe(404)
  expect(server.requests).toEqual([])
})

test('[PX18] a WebSocket that was not agreed on is rejected with 426', async () => {
  await using server = await startRecorder()
  const { port } = await serve({ to: server.url })
  const head = ['GET /v1/realtime HTTP/1.1', 'host: a', 'connection: close', 'upgrade: websocket']
  const answer = await talk(port, `${head.join('\r\n')}\r\nsec-websocket-version: 13\r\nsec-websocket-key: x\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 426 .*"code":"no-upgrade".*connection: upgrade.*send the request over HTTP/s)
  expect(answer).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/)
  expect(server.requests).toEqual([])
})
