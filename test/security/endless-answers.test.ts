import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startServer } from '../../src/apps/viewer/server.ts'
import { SourceIndex } from '../../src/apps/viewer/source-index.ts'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { chatPath, post } from '../integrations/fetch/requests.ts'
import { serve, upstream } from '../integrations/proxy/serving.ts'

const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hello' }] })
const message = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const answers = [
  ['an error', 400, 'application/json', '{"error":'],
  ['a stream that begins with an error', 200, 'text/event-stream', `data: {"error":{"message":"${message}"}}\n\n`],
] as const

test.each(answers)(
  '[SE146] healFetch does not wait for the end of %s that never ends',
  async (_, status, type, start) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const stream = new ReadableStream({
      start: controller => controller.enqueue(new TextEncoder().encode(start)),
    })
    const send = async () => new Response(stream, { status, headers: { 'content-type': type } })
    let response: Response | undefined
    void healFetch({ fetch: send })(`https://api.openai.com${chatPath}`, post(body)).then(answer => {
      response = answer
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(response?.status).toBe(status)
    const { value } = (await response?.body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe(start)
  },
)

test.each(answers)('[SE146] the proxy does not hold back %s that never ends', async (_, status, type, start) => {
  const mine = await upstream((incoming, response) =>
    incoming.resume().on('end', () => response.writeHead(status, { 'content-type': type }).write(start)),
  )
  const { url } = await serve({ to: mine.url })
  // Without an end it would wait for ever.
  const response = await fetch(url + chatPath, { ...post(body), signal: AbortSignal.timeout(120_000) })
  expect(response.status).toBe(status)
  const { value } = (await response.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toBe(start)
})

test('[SE147] a request that reaches the viewer while it closes does not stop the process', async () => {
  const server = await startServer('<html></html>', new SourceIndex([]), 0)
  const failures: unknown[] = []
  const onFailure = (error: unknown): void => {
    failures.push(error)
  }
  const before = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', onFailure)
  onTestFinished(() => {
    process.off('uncaughtException', onFailure)
    for (const listener of before) process.on('uncaughtException', listener)
  })
  const { hostname, port, pathname } = new URL(server.url)
  const sent: ClientRequest = request({ host: hostname, port, path: pathname, headers: { 'x-long': 'a' } })
  sent.on('error', () => {})
  const socket = await new Promise<import('node:net').Socket>(resolve => sent.on('socket', resolve))
  await once(socket, 'connect')
  // The rest of the head is sent when the server is closing.
  const closing = server.close()
  sent.end()
  await closing
  await new Promise<void>(resolve => setImmediate(resolve))
  expect(failures).toEqual([])
})
