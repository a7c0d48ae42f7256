import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Endpoint, findEndpoint } from '../../src/integrations/fetch/endpoint.ts'
import { HealQueue } from '../../src/integrations/proxy/heal-in-worker.ts'
import { startRecorder } from '../integrations/fetch/recorder.ts'
import { brokenBody, chatPath, messagesOf, post } from '../integrations/fetch/requests.ts'
import { serveApart } from '../integrations/proxy/serve-apart.ts'
import { serve, talk } from '../integrations/proxy/serving.ts'
import { bodies, costOf } from './hostile-bodies.ts'

describe('a body that costs far more than it is long', () => {
  // Where the system does not say how much memory a process had, there is nothing to compare.
  const isMeasured = process.platform === 'linux'

  test.each(Object.keys(bodies))('[SE12] %s: the proxy goes on, others are served, memory is bounded', async name => {
    const { status, memory, served } = await costOf(bodies[name], 8 * 2 ** 20)
    expect(status).toBe(200)
    expect(served).toBeGreaterThan(0)
    if (isMeasured) expect(memory).toBeLessThan(20)
  })

  test.each(['numbers', 'parts', 'empty objects'])(
    '[SE61] %s: what the parser would take is known before it is asked',
    async name => {
      const queue = new HealQueue()
      const endpoint = findEndpoint(new URL('https://api.openai.com/v1/chat/completions'))
      const bytes = new TextEncoder().encode(bodies[name](2 ** 20))
      const body = { bytes: bytes.length, unpack: async () => bytes, isGone: () => false }
      await expect(queue.heal(body, endpoint as Endpoint, {})).rejects.toMatchObject({
        code: 'repair-limit',
        message: expect.stringMatching(/^checking a request of [\d.]+ MB needs too much memory$/),
      })
      await queue.close()
    },
  )

  test('[SE84] a short body with very many small messages is repaired in the worker, one with as many words is not', async () => {
    await using mine = await startRecorder()
    const { url, errors, reports } = await serve({ to: mine.url })
    const queued = vi.spyOn(HealQueue.prototype, 'heal')
    onTestFinished(() => queued.mockRestore())
    const send = async (messages: unknown[]): Promise<void> => {
      const body = JSON.stringify({ model: 'gpt-5', messages })
      expect(body.length).toBeLessThan(256 * 1024)
      expect((await fetch(url + chatPath, post(body))).status).toBe(200)
    }
    const words = { role: 'user', content: 'word '.repeat(100) }
    const result = { role: 'tool', content: '', tool_call_id: 'a' }
    await send([...Array.from({ length: 400 }, () => words), result])
    expect(queued).toHaveBeenCalledTimes(0)
    await send([...Array.from({ length: 3000 }, () => result), words])
    expect(queued).toHaveBeenCalledTimes(1)
    expect(reports).toHaveLength(2)
    expect(errors).toEqual([])
  })

  test('[SE13] a long body is repaired as a short one is', async () => {
    await using mine = await startRecorder()
    const { url, reports, errors } = await serve({ to: mine.url })
    const short = JSON.parse(brokenBody)
    const words = { role: 'user', content: 'many words '.repeat(100_000) }
    const long = { ...short, messages: [words, ...short.messages] }
    for (const body of [short, long]) await fetch(url + chatPath, post(JSON.stringify(body)))
    const [first, second] = mine.requests.map(({ body }) => messagesOf(body))
    expect(second).toEqual([words, ...first])
    expect(reports.map(({ repairs }) => repairs.map(({ rule }) => rule))).toEqual([
      reports[0].repairs.map(({ rule }) => rule),
      reports[0].repairs.map(({ rule }) => rule),
    ])
    expect(errors).toEqual([])
  })

  test('[SE13] a long body is also repaired without what Node 20 does not have', async () => {
    await using mine = await startRecorder()
    const { url } = await serveApart(mine.url, 'delete ArrayBuffer.prototype.transfer; delete JSON.rawJSON')
    const short = JSON.parse(brokenBody)
    const long = { ...short, messages: [{ role: 'user', content: 'many words '.repeat(100_000) }, ...short.messages] }
    const { headers } = await fetch(url + chatPath, post(JSON.stringify(long)))
    expect(headers.get('x-antiphon-repairs')).not.toBe(null)
  })
})

describe('a web page of another origin', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'http://192.168.1.20' },
    { origin: 'http://printer' },
    { origin: 'http://localhost.evil.com' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0' },
    { 'content-type': 'text/plain;charset=UTF-8', referer: 'https://evil.example/' },
    { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-dest': 'empty' },
  ]

  test.each(foreign)('[SE14] %j is turned away, for every path and method', async headers => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url })
    for (const line of [`POST ${chatPath}`, 'GET /v1/models', `OPTIONS ${chatPath}`, 'GET /metrics'])
      expect(await ask(port, line, headers)).toMatch(/^HTTP\/1\.1 403 /)
    expect(mine.requests).toEqual([])
  })

  const local = [
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1:8377', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://[::1]:5173', 'sec-fetch-site': 'cross-site' },
    { origin: 'vscode-webview://abc' },
    { origin: 'chrome-extension://abc', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-mode': 'cors', 'content-type': 'text/plain;charset=UTF-8', 'user-agent': 'node' },
    { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'curl/8.5.0' },
    { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0' },
  ]

  test.each(local)('[SE14] a program on this machine is served: %j', async headers => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url })
    expect(await ask(port, `POST ${chatPath}`, headers)).toMatch(/^HTTP\/1\.1 200 /)
    expect(mine.requests).toHaveLength(1)
  })

  test('[SE14] an origin that is allowed is served', async () => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url, allowOrigins: ['https://app.example'] })
    expect(
      await ask(port, `POST ${chatPath}`, { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }),
    ).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask(port, `POST ${chatPath}`, { origin: 'https://app.example.evil.com' })).toMatch(/^HTTP\/1\.1 403 /)
  })

  const ask = (port: number, line: string, headers: Record<string, string>): Promise<string> =>
    talk(
      port,
      `${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 2\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n{}`,
    )
})
