import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { startProxy } from '../../src/integrations/proxy/index.ts'

const signature = 'ErUBCkYIBRgCIkBmb3JlaWduLXNpZ25hdHVyZQ=='
const thinking = (model: string) => ({
  model,
  max_tokens: 64,
  stream: true,
  messages: [
    { role: 'user', content: 'one' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature },
        { type: 'text', text: 'two' },
      ],
    },
    { role: 'user', content: 'three' },
  ],
})
const long = {
  model: 'gpt-5.2',
  stream: true,
  input: [
    { role: 'user', content: 'read the log' },
    { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'line of the log\n'.repeat(2000) },
    { role: 'assistant', content: [{ type: 'output_text', text: 'Long.' }] },
    { role: 'user', content: 'what failed?' },
  ],
}
const signed = {
  contents: [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'shot', args: {} }, thoughtSignature: signature }] },
    { role: 'user', parts: [{ functionResponse: { name: 'shot', response: { output: 'ok' } } }] },
  ],
}
const pictured = {
  messages: [
    { role: 'user', content: [{ text: 'see' }, { image: { format: 'png', source: { bytes: 'AAAA' } } }] },
    { role: 'assistant', content: [{ text: 'seen' }] },
    { role: 'user', content: [{ text: 'and?' }] },
  ],
}

/** A frame as AWS sends it. The check sums are not looked at. */
function frame(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(value.length)
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ])
    }),
  )
  const body = Buffer.from(payload)
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  return Buffer.concat([prelude, head, body, Buffer.alloc(4)])
}

interface StreamCase {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly request: object
  readonly error: string | Buffer
  readonly answer: string | Buffer
  /** What the second request no longer has. */
  readonly gone: string
}

const invalid = 'messages.1.content.0: Invalid `signature` in `thinking` block'
const overflow = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
const events = 'text/event-stream; charset=utf-8'

const cases: readonly StreamCase[] = [
  {
    name: 'Anthropic, an error event',
    path: '/v1/messages',
    type: events,
    request: thinking('claude-opus-4-8'),
    error: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: invalid } })}\n\n`,
    answer: 'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1"}}\n\n',
    gone: signature,
  },
  {
    name: 'chat, data with an error after a comment',
    path: '/v1/chat/completions',
    type: 'text/event-stream',
    request: { ...thinking('anthropic/claude-opus-4.8') },
    error: `: PROCESSING\r\n\r\ndata: ${JSON.stringify({ error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify({ error: { message: invalid } }) } } })}\r\n\r\n`,
    answer: 'data: {"choices":[{"delta":{"content":"hi"}}]}\r\n\r\n',
    gone: signature,
  },
  {
    name: 'Responses, failed',
    path: '/v1/responses',
    type: events,
    request: long,
    error: `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: overflow } } })}\n\n`,
    answer: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1"}}\n\n',
    gone: 'line of the log',
  },
  {
    name: 'Responses, an error that came together with the events that announce an answer',
    path: '/v1/responses',
    type: events,
    request: long,
    error: `event: response.created\ndata: {"type":"response.created"}\n\nevent: response.in_progress\ndata: {"type":"response.in_progress"}\n\nevent: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 2, error: { code: 'context_length_exceeded', message: overflow } })}\n\n`,
    answer: 'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1"}}\n\n',
    gone: 'line of the log',
  },
  {
    name: 'Gemini, a list',
    path: '/v1beta/models/gemini-3-pro:streamGenerateContent',
    type: 'application/json; charset=UTF-8',
    request: signed,
    error: JSON.stringify([
      { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } },
    ]),
    answer: '[{"candidates":[{"content":{"parts":[{"text":"hi"}]}}]}\n]',
    gone: signature,
  },
  {
    name: 'Bedrock, an exception in a frame',
    path: '/model/us.anthropic.claude-sonnet-5/converse-stream',
    type: 'application/vnd.amazon.eventstream',
    request: pictured,
    error: frame(
      { ':exception-type': 'validationException', ':content-type': 'application/json', ':message-type': 'exception' },
      JSON.stringify({ message: 'The model returned the following errors: Could not process image' }),
    ),
    answer: frame({ ':event-type': 'messageStart', ':message-type': 'event' }, '{"role":"assistant"}'),
    gone: 'AAAA',
  },
]

const whole = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

let respond: (response: ServerResponse, body: string, count: number) => void = () => {}
let bodies: string[] = []
const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  bodies.push(Buffer.concat(chunks).toString())
  respond(response, bodies.at(-1) ?? '', bodies.length)
})
server.keepAliveTimeout = 0
let upstream = ''
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy = await startProxy({ to: upstream, port: 0, onRepair() {}, onError: fail })
})
afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

function fail(error: unknown): never {
  throw error
}

/** The same request through `healFetch` and through the proxy, each to a path of its own. */
const ways: readonly (readonly [name: string, ask: (path: string, init: RequestInit) => Promise<Response>])[] = [
  ['healFetch', (path, init) => healFetch({ onRepair() {}, onError: fail })(`${upstream}/fetch${path}`, init)],
  ['the proxy', (path, init) => fetch(`${proxy.url}/proxy${path}`, init)],
]
let count = 0
/** What one case taught is not for the next. */
const apart = (path: string): string => `/case-${count++}${path}`
const post = (request: object, headers = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(request),
  headers: { 'content-type': 'application/json', ...headers },
})

describe.each(ways)('%s: an error after HTTP 200', (_, ask) => {
  test.each(cases)('[RJ18] $name: it is read before anything is passed on, repaired and retried once', async one => {
    for (const packed of [false, true]) {
      const pack = (bytes: string | Buffer) => (packed ? gzipSync(bytes) : bytes)
      bodies = []
      respond = (response, _, number) => {
        response.writeHead(200, { 'content-type': one.type, ...(packed && { 'content-encoding': 'gzip' }) })
        response.end(pack(number === 1 ? one.error : one.answer))
      }
      const path = apart(one.path)
      const response = await ask(path, post(one.request))
      expect(await whole(response)).toEqual(Buffer.from(one.answer))
      expect(bodies.length).toBe(2)
      expect(bodies[0]).toContain(one.gone)
      expect(bodies[1]).not.toContain(one.gone)

      // Learnt: the next request is repaired before it is sent.
      respond = response => response.writeHead(200, { 'content-type': one.type }).end(one.answer)
      await whole(await ask(path, post(one.request)))
      expect(bodies.length).toBe(3)
    }
  })

  test.each(cases)(
    '[RJ19] $name: one that cannot be healed is passed on byte for byte, and the second answer as well',
    async one => {
      const text = String(one.error)
      const unknown = Buffer.from(
        typeof one.error === 'string'
          ? text.replaceAll(/Invalid|Corrupted|exceeds/g, 'Strange').replaceAll('context_length_exceeded', 'x')
          : frame({ ':message-type': 'exception' }, '{"message":"Strange"}'),
      )
      bodies = []
      respond = response => response.writeHead(200, { 'content-type': one.type }).end(unknown)
      const response = await ask(apart(one.path), post(one.request))
      expect([response.status, await whole(response)]).toEqual([200, unknown])
      expect(bodies).toEqual([JSON.stringify(one.request)])

      // A second error is the answer: there is no third request, and nothing is learnt.
      bodies = []
      respond = response => response.writeHead(200, { 'content-type': one.type }).end(one.error)
      const path = apart(one.path)
      expect(await whole(await ask(path, post(one.request)))).toEqual(Buffer.from(one.error))
      expect(bodies.length).toBe(2)
      await whole(await ask(path, post(one.request)))
      expect(bodies.length).toBe(4)
      expect(bodies[2]).toContain(one.gone)
    },
  )

  test('[RJ25] comments that keep a stream alive reach the client before the first event', async () => {
    const { path, request, type, answer } = cases.filter(({ type }) => type.includes('event-stream'))[0]
    let end: () => void = () => {}
    respond = response => {
      response.writeHead(200, { 'content-type': type })
      response.write(': PROCESSING\n\n: PROCESSING\n\n')
      end = () => response.end(answer)
    }
    const response = await ask(apart(path), post(request))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain(': PROCESSING')
    end()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      rest += Buffer.from(value).toString()
    }
    expect(rest).toContain(String(answer))
  })

  test('[RJ25] a stream that sends nothing for seconds is passed on all the same', async () => {
    const { path, request, type, answer } = cases.filter(({ type }) => type.includes('event-stream'))[0]
    let end: () => void = () => {}
    respond = response => {
      response.writeHead(200, { 'content-type': type })
      response.flushHeaders()
      end = () => response.end(answer)
    }
    const response = await ask(apart(path), post(request))
    expect(response.status).toBe(200)
    end()
    expect(await whole(response)).toEqual(Buffer.from(answer))
  })

  test('[RJ20] a stream whose first event is not an error is passed on with it, while the rest is still to come', async () => {
    for (const { path, request, type, answer } of cases.filter(({ type }) => !type.includes('json'))) {
      bodies = []
      let end: () => void = () => {}
      respond = response => {
        response.writeHead(200, { 'content-type': type })
        response.write(answer)
        end = () => response.end(answer)
      }
      const response = await ask(apart(path), post(request))
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const first = await reader.read()
      expect(Buffer.from(first.value ?? [])).toEqual(Buffer.from(answer))
      end()
      const second = await reader.read()
      expect(Buffer.from(second.value ?? [])).toEqual(Buffer.from(answer))
      expect((await reader.read()).done).toBe(true)
      expect(bodies.length).toBe(1)
    }
  })

  test('[RJ20] a later event is not read: an error in the middle of an answer is left to the caller', async () => {
    const [{ path, request, type, answer, error }] = cases
    bodies = []
    respond = response => response.writeHead(200, { 'content-type': type }).end(`${answer}${error}`)
    const response = await ask(apart(path), post(request))
    expect(await response.text()).toBe(`${answer}${error}`)
    expect(bodies.length).toBe(1)
  })

  test('[RJ20] however an answer is split, its bytes are the same', async () => {
    for (const { path, request, type, answer } of cases) {
      const bytes = Buffer.from(answer)
      for (const size of [1, 3, 17]) {
        bodies = []
        respond = async response => {
          response.writeHead(200, { 'content-type': type })
          for (let at = 0; at < bytes.length; at += size) {
            response.write(bytes.subarray(at, at + size))
            await new Promise(resolve => setImmediate(resolve))
          }
          response.end()
        }
        const response = await ask(apart(path), post(request))
        expect(await whole(response)).toEqual(bytes)
        expect(bodies.length).toBe(1)
      }
    }
  })
})
