import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { type RunningProxy, startProxy } from '../../src/integrations/proxy/index.ts'

type Body = Record<string, unknown>

/** What the provider says about a request: the first defect only. */
let rejectionOf: (body: Body) => string | undefined = () => undefined
let bodies: Body[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: Body = JSON.parse(String(Buffer.concat(chunks)))
  bodies.push(body)
  const message = rejectionOf(body)
  const status = message === undefined ? 200 : message.startsWith('Rate') ? 429 : 400
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(message === undefined ? { choices: [] } : { error: { message } }))
})
let origin = ''
let proxy: RunningProxy

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy = await startProxy({ to: origin, port: 0, onRepair() {} })
})

afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

const ways: [string, (path: string) => Promise<Response>, (body: Body) => void][] = []
let sent: Body = {}
const heal = healFetch({ onRepair() {} })
for (const [name, send] of [
  ['healFetch', (path: string, init: RequestInit) => heal(origin + path, init)],
  ['the proxy', (path: string, init: RequestInit) => fetch(proxy.url + path, init)],
] as const)
  ways.push([
    name,
    path => send(path, { method: 'POST', body: JSON.stringify(sent) }),
    body => {
      sent = body
      bodies = []
    },
  ])

const renamed =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
const chat = { model: 'gpt-5', max_tokens: 99, temperature: 0.2, messages: [{ role: 'user', content: 'Hi.' }] }

test.each(ways)(
  '[SE601] %s: a request with several defects, of which the provider names one at a time, is accepted in the end',
  async (name, ask, begin) => {
    rejectionOf = body =>
      'max_tokens' in body
        ? renamed
        : 'temperature' in body
          ? "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."
          : undefined
    const tries: number[][] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      begin(chat)
      const response = await ask(`/${name.at(-1)}/v1/chat/completions`)
      if (!response.ok) expect(await response.text()).toContain('temperature')
      tries.push([response.status, bodies.length])
    }
    expect(tries).toEqual([
      [400, 2],
      [200, 2],
      [200, 1],
    ])
  },
)

test.each(ways)(
  '[SE601] %s: nothing is learnt from a repair that did not help, nor from a limit',
  async (name, ask, begin) => {
    for (const again of [renamed, 'Rate limit reached for requests per minute', 'Strange.']) {
      rejectionOf = body => ('max_tokens' in body ? renamed : again)
      for (let attempt = 0; attempt < 2; attempt++) {
        begin(chat)
        const response = await ask(`/${name.at(-1)}-${again.length}/v1/chat/completions`)
        expect(await response.text()).toContain(again.slice(0, 20))
        expect(bodies.map(body => 'max_tokens' in body)).toEqual([true, false])
      }
    }
  },
)

test.each(ways)(
  '[SE601] %s: two fields of one role, each of which the provider names alone',
  async (name, ask, begin) => {
    const rejectionFor = (field: string) =>
      `'messages.2' : for 'role:tool' the following must be satisfied[('messages.2' : property '${field}' is unsupported)]`
    rejectionOf = body => {
      const field = ['status', 'images'].find(field => JSON.stringify(body).includes(`"${field}"`))
      return field === undefined ? undefined : rejectionFor(field)
    }
    const call = { id: 'call_1', type: 'function', function: { name: 'see', arguments: '{}' } }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'A cat.', status: 'ok', images: ['x'] },
    ]
    const statuses: number[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      begin({ model: 'm', messages: [{ role: 'user', content: 'Look.' }, ...messages] })
      statuses.push((await ask(`/fields-${name.at(-1)}/v1/chat/completions`)).status)
    }
    expect(statuses).toEqual([400, 200])
  },
)
