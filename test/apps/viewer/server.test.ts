import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ask, eventsOf, smallPage, withViewer } from './viewer-server.ts'

const api = 'api/documents/1/1'
const history = 'test/doctor/systems/plain/samples/list-broken.json'

/** The status of the response to a request that is written byte for byte; empty without a response. */
const statusOf = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer.slice(9, 12)))
    socket.on('error', reject)
  })

describe('access', () => {
  test('[VW1] without the token everything is 404', () =>
    withViewer({ paths: [history] }, async ({ url }) => {
      const { origin, pathname } = new URL(url)
      expect(pathname).toMatch(/^\/[A-Za-z0-9_-]{22,}\/$/)
      const token = pathname.slice(1, -1)
      const wrong = ['', 'x', `${token}x`, token.slice(0, -1), token.toUpperCase().replace(/[A-Z]/, 'a'), '..', '%2e']
      for (const first of wrong) {
        for (const rest of ['', '/', `/${api}`, '/api/events'])
          expect((await ask(`${origin}/${first}${rest}`)).status, `${first}${rest}`).toBe(404)
        expect((await ask(`${origin}/${first}/${api}`, { method: 'POST' })).status).toBe(404)
        expect((await ask(`${origin}/${first}/`, { headers: { host: 'evil.test' } })).status).toBe(404)
      }
      expect((await ask(url)).status).toBe(200)
      expect((await ask(`${url}${api}`)).status).toBe(200)
      expect(await ask(url.slice(0, -1))).toMatchObject({ status: 308, headers: { location: pathname } })
    }))

  test('[VW2] only local Host values with the port, and only same-origin requests', () =>
    withViewer({ paths: [history] }, async ({ url }) => {
      const { port } = new URL(url)
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await ask(`${url}${api}`, { headers })).status
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
        expect(await status({ host }), host).toBe(200)
      for (const host of [
        '127.0.0.1',
        'localhost:1',
        `evil.test:${port}`,
        `127.0.0.1.evil.test:${port}`,
        `0.0.0.0:${port}`,
      ])
        expect(await status({ host }), host).toBe(403)
      const hosts = [`127.0.0.1:${port}`, 'evil.test'].map(host => `Host: ${host}\r\n`).join('')
      const path = `${new URL(url).pathname}${api}`
      expect(await statusOf(url, `GET ${path} HTTP/1.1\r\n${hosts}\r\n`), 'two Host headers').toBe('403')
      expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200)
      for (const origin of [
        'null',
        'http://evil.test',
        `https://127.0.0.1:${port}`,
        'http://127.0.0.1',
        `http://localhost:${port}`,
      ])
        expect(await status({ origin }), origin).toBe(403)
      expect(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
      for (const site of ['same-origin', 'none']) expect(await status({ 'sec-fetch-site': site }), site).toBe(200)
      for (const site of ['cross-site', 'same-site', ''])
        expect(await status({ 'sec-fetch-site': site }), site).toBe(403)
    }))

  test('[VW3] a POST is small JSON from the page', () =>
    withViewer({ paths: [history] }, async ({ url }) => {
      const { origin } = new URL(url)
      const json = { origin, 'content-type': 'application/json' }
      const post = async (path: string, headers: Record<string, string>, body = '{}'): Promise<number> =>
        (await ask(`${url}${path}`, { method: 'POST', headers, body })).status
      const thread = 'api/threads/1/1'
      expect(await post(thread, { 'content-type': 'application/json' })).toBe(403)
      expect(await post(thread, { ...json, origin: 'http://evil.test' })).toBe(403)
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonx',
      ])
        expect(await post(thread, { origin, 'content-type': type }), type).toBe(415)
      expect(await post(thread, { origin })).toBe(415)
      // A history is not a thread, so nothing can be done with it.
      expect(await post(thread, json)).toBe(404)
      for (const path of ['', api, 'api/events', `${thread}/events`]) expect(await post(path, json), path).toBe(405)
      for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
        expect((await ask(`${url}${api}`, { method })).status, method).toBe(405)
      expect(await ask(`${url}${thread}`)).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    }))

  test('[VW4] every response forbids caching, framing and sniffing', () =>
    withViewer({ paths: [history] }, async ({ url }) => {
      const { origin } = new URL(url)
      const places = [url, `${url}${api}`, `${url}nothing`, `${origin}/wrong/`]
      const answers = await Promise.all([
        ...places.map(place => ask(place)),
        ask(url, { headers: { host: 'evil.test' } }),
      ])
      for (const { headers, status } of answers) {
        expect({ status, ...headers }).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
        })
        expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
        expect(Object.keys(headers)).not.toContain('access-control-allow-origin')
      }
      const [page, , nothing] = answers
      const script = /<script>([\s\S]*?)<\/script>/.exec(smallPage)?.[1] ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      const policy = page.headers['content-security-policy']
      expect(policy).toContain(`script-src 'sha256-${hash}';`)
      for (const part of [
        "style-src 'none'",
        'worker-src blob:',
        'img-src data: blob:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy).toContain(part)
      expect(page.body).toBe(smallPage)
      expect(JSON.parse(nothing.body)).toEqual({ error: 'not found' })
    }))

  test('[VW5] malformed requests do not stop the server', () =>
    withViewer({ paths: [history] }, async ({ url }) => {
      const { port, pathname } = new URL(url)
      const raw = [
        'GET / HTTP/1.1\r\n\r\n',
        'GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n',
        `GET ${pathname}api/documents/1/%zz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
        `GET ${pathname}../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
        `POST ${pathname}api/threads/1/1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\n\r\n{`,
        '\u0000\u0001\r\n\r\n',
      ]
      for (const text of raw) expect(['', '400', '403', '404'], text).toContain(await statusOf(url, text))
      for (const path of [
        'api/documents/1/__proto__',
        'api/documents/constructor/1',
        'api/documents/1/2',
        'api/documents/9/1',
        `${api}?x`,
        'api/documents/1',
        'api',
      ])
        expect((await ask(`${url}${path}`)).status, path).toBe(404)
    }))

  test('[VW6] closing ends the streams, and the port is free again', async () => {
    let ended: Promise<void> | undefined
    let port = 0
    await withViewer({ paths: [history] }, async ({ url }) => {
      port = Number(new URL(url).port)
      const events = eventsOf(`${url}api/events`)
      expect((await events.next()).value).toMatchObject({ kind: 'opened', sources: 1 })
      ended = (async () => {
        for await (const _ of events) {
          // What is still on its way.
        }
      })()
    })
    await ended
    await withViewer({ paths: [], port }, ({ url }) => expect(new URL(url).port).toBe(String(port)))
  })
})
