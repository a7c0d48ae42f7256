import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { png } from '../../src/core/rules/example-media.ts'
import { RejectionMemory } from '../../src/heal/rejections/lessons.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { startProxy } from '../../src/integrations/proxy/index.ts'
import { startRejecting } from './rejecting-provider.ts'
import { bodyOf, objections, pathOf, requestOf, sharedCases } from './shared-cases.ts'

const learnt = [
  'claude-code-10627',
  'sub2api-3138',
  'gemini-cli-13467',
  'hermes-agent-11089',
  'pi-824',
  'hermes-agent-23411',
  'vercel-ai-8857',
  'claude-code-42399',
  'YPrompt-26',
  'Cursor-Azure-GPT-5-33',
  'new-api-5330',
  'together-overflow',
  'claude-code-31033',
]

const caseOf = (id: string) => {
  const found = sharedCases.find(one => one.id === id)
  if (!found) throw new Error(id)
  return found
}

/** The request with one more turn. */
function longer(request: Record<string, unknown>): Record<string, unknown> {
  const key = ['messages', 'input', 'contents'].find(key => Array.isArray(request[key])) as string
  const turn =
    key === 'contents'
      ? [
          { role: 'model', parts: [{ text: 'I see.' }] },
          { role: 'user', parts: [{ text: 'go on' }] },
        ]
      : [
          { role: 'assistant', content: key === 'input' ? [{ type: 'output_text', text: 'I see.' }] : 'I see.' },
          { role: 'user', content: key === 'input' ? [{ type: 'input_text', text: 'go on' }] : 'go on' },
        ]
  return { ...request, [key]: [...(request[key] as unknown[]), ...turn] }
}

test('[RJ10] a limit of bytes that was learnt holds for images above it, and a smaller one in their place stays', async () => {
  const message = 'The image is too large. Maximum image size is 4 MB.'
  const large = png(10, 10).padEnd(8_000_000, 'A')
  const bodies: string[] = []
  const send: typeof fetch = async (_, init) => {
    bodies.push(String(init?.body))
    return String(init?.body).includes(large)
      ? Response.json({ error: { message } }, { status: 400 })
      : Response.json({ choices: [] })
  }
  const heal = healFetch({ fetch: send, onRepair() {} })
  const chat = (...later: string[]) => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'Look.' },
      ...later.map(data => ({
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }],
      })),
    ],
  })
  for (const request of [chat(large), chat(large, png(20, 20)), chat(png(20, 20))]) {
    const response = await heal('http://any/v1/chat/completions', { method: 'POST', body: JSON.stringify(request) })
    expect(response.status).toBe(200)
  }
  // The first one was rejected; all later ones are accepted at once, with the image that is small enough.
  expect(bodies.length).toBe(4)
  expect(bodies.slice(1).map(body => [body.includes(large), body.includes(png(20, 20))])).toEqual([
    [false, false],
    [false, true],
    [false, true],
  ])
  expect(bodies[3]).toBe(JSON.stringify(chat(png(20, 20))))
})

describe('learnt once, not once a turn', () => {
  test.each(learnt)('[RJ10] healFetch, %s: the next turn is repaired before it is sent', async id => {
    const rejected = caseOf(id)
    const bodies: string[] = []
    const send: typeof fetch = async (_, init) => {
      bodies.push(String(init?.body))
      const isFine = objections(JSON.parse(bodies.at(-1) ?? ''), { ...rejected, keep: [] }).length === 0
      return isFine ? new Response('{}') : new Response(bodyOf(rejected), { status: rejected.refusal.status })
    }
    const heal = healFetch({ fetch: send, onRepair() {} })
    const request = requestOf(rejected)
    const ask = (body: object) =>
      heal(`http://any${pathOf(rejected, request)}`, { method: 'POST', body: JSON.stringify(body) })
    expect((await ask(request)).status).toBe(200)
    expect(bodies.length).toBe(2)
    expect((await ask(longer(request))).status).toBe(200)
    expect(bodies.length).toBe(3)
    expect(objections(JSON.parse(bodies[2]), rejected)).toEqual([])
    const healthy = JSON.stringify({ ...healthyFor(request), model: request.model })
    await heal(`http://any${pathOf(rejected, request)}`, { method: 'POST', body: healthy })
    expect(bodies[3]).toBe(healthy)
  })

  test('[RJ10] so does the proxy, also if the quick check of the bytes would let the request pass', async () => {
    const rejected = caseOf('claude-code-10627')
    const upstream = await startRejecting()
    const proxy = await startProxy({ to: upstream.url, port: 0, onRepair() {} })
    try {
      const request = requestOf(rejected)
      const ask = (body: object) =>
        fetch(proxy.url + pathOf(rejected, request), { method: 'POST', body: JSON.stringify(body) })
      upstream.answerWith(rejected)
      expect((await ask(request)).status).toBe(200)
      expect(upstream.bodies.length).toBe(2)
      upstream.answerWith(rejected)
      expect((await ask(longer(request))).status).toBe(200)
      expect(upstream.bodies.length).toBe(1)
      expect(objections(JSON.parse(String(upstream.bodies[0])), rejected)).toEqual([])
    } finally {
      await proxy.close()
      await upstream.close()
    }
  })
})

test('[RJ10] a removed block is recognised in its own conversation only', async () => {
  const rejected = caseOf('claude-code-10627')
  const bodies: string[] = []
  const send: typeof fetch = async (_, init) => {
    bodies.push(String(init?.body))
    return bodies.length === 1 ? new Response(bodyOf(rejected), { status: 400 }) : new Response('{}')
  }
  const heal = healFetch({ fetch: send, onRepair() {} })
  const request = requestOf(rejected)
  const url = `http://any${pathOf(rejected, request)}`
  await heal(url, { method: 'POST', body: JSON.stringify(request) })
  const [first, ...rest] = request.messages as object[]
  const other = JSON.stringify({ ...request, messages: [{ ...first, content: 'another question' }, ...rest] })
  await heal(url, { method: 'POST', body: other })
  expect(bodies.length).toBe(3)
  expect(bodies[2]).toBe(other)
})

/** A short request in the same format. */
function healthyFor(request: Record<string, unknown>): object {
  if (request.contents) return { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
  return request.input ? { input: [{ role: 'user', content: 'hi' }] } : { messages: [{ role: 'user', content: 'hi' }] }
}

test('[RJ11] the memory is bounded, and contains no message content', () => {
  const memory = new RejectionMemory()
  const rejection = readRejection(400, 'Could not process image')
  if (!rejection) throw new Error('not read')
  for (let endpoint = 0; endpoint < 500; endpoint++) {
    const images = Array.from({ length: 10 }, (_, index) => ({
      type: 'image',
      source: { data: `secret ${endpoint} ${index}` },
    }))
    memory.learn(
      `https://host-${endpoint}`,
      'model',
      rejection,
      { messages: [{ role: 'user', content: images }] },
      { messages: [] },
    )
  }
  expect(memory.knows('https://host-0')).toBe(false)
  const lessons = memory.recall('https://host-499')
  expect(lessons?.model.marks.length).toBe(10)
  expect(JSON.stringify(lessons)).not.toContain('secret')
})

describe('[SE105] a lesson of one account changes no request of another', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }
  const body = { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'what is this?' }, image] }] }
  const text = JSON.stringify({ error: { message: 'No endpoints found that support image input' } })
  type Ask = { headers?: Record<string, string>; query?: string; more?: object }
  const others: Record<string, [one: Ask, other: Ask]> = {
    'by its key': [{ headers: { authorization: 'Bearer a' } }, { headers: { authorization: 'Bearer b' } }],
    'by a header of a gateway': [{ headers: { 'x-tenant-id': 'a' } }, { headers: { 'x-tenant-id': 'b' } }],
    'by the features it asks for': [{}, { headers: { 'anthropic-beta': 'images' } }],
    'by its query': [{ query: '?key=a' }, { query: '?key=b' }],
    'by where it is routed': [{ more: { provider: { only: ['a'] } } }, {}],
  }

  async function learns(
    send: typeof fetch,
    base: string,
    [one, other]: [Ask, Ask],
    got: () => string[],
  ): Promise<void> {
    const ask = ({ headers = {}, query = '', more }: Ask) =>
      send(`${base}/v1/chat/completions${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, 'x-request-id': `${Math.random()}` },
        body: JSON.stringify({ ...body, ...more }),
      }).then(answer => answer.text())
    await ask(one)
    await ask(one)
    await ask(other)
    const [first, second, third, fourth] = got()
    expect([first, second, third].map(sent => sent.includes('image_url'))).toEqual([true, false, false])
    expect(fourth).toBe(JSON.stringify({ ...body, ...other.more }))
  }

  test.each(Object.keys(others))('healFetch: %s', async name => {
    const bodies: string[] = []
    const send: typeof fetch = async (_, init) => {
      bodies.push(String(init?.body))
      return bodies.length === 1 ? new Response(text, { status: 404 }) : new Response('{}')
    }
    await learns(healFetch({ fetch: send, onRepair() {} }), 'http://any', others[name], () => bodies)
  })

  test.each(Object.keys(others))('the proxy: %s', async name => {
    const bodies: string[] = []
    const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      bodies.push(String(Buffer.concat(chunks)))
      response.writeHead(bodies.length === 1 ? 404 : 200, { 'content-type': 'application/json' })
      response.end(bodies.length === 1 ? text : '{}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = await startProxy({
      to: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      port: 0,
      onRepair() {},
    })
    try {
      await learns(fetch, proxy.url, others[name], () => bodies)
    } finally {
      await proxy.close()
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('[SE111] a lesson removes nothing from requests that it is not about', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }
  const ask = (words: string, more: object = {}) => ({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: words }, image] }],
    ...more,
  })
  const noImages = 'No endpoints found that support image input'

  /** Sends requests through one `healFetch`; `answers` has the error for the n-th request that reaches the provider. */
  async function sent(bodies: readonly object[], answers: Record<number, string>): Promise<Record<string, unknown>[]> {
    const got: Record<string, unknown>[] = []
    const send = healFetch({
      onRepair() {},
      fetch: async (_, init) => {
        got.push(JSON.parse(String(init?.body)))
        const error = answers[got.length]
        return error === undefined
          ? new Response('{}')
          : new Response(JSON.stringify({ error: { message: error } }), { status: 400 })
      },
    })
    for (const body of bodies)
      await (
        await send('http://any/v1/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).text()
    return got
  }
  const hasImage = (body: unknown): boolean => JSON.stringify(body).includes('"image_url"')

  test('a rejection of images is learnt for its own conversation only', async () => {
    const got = await sent([ask('one'), ask('one'), ask('two')], { 1: noImages })
    expect(got.map(hasImage)).toEqual([true, false, false, true])
  })

  test('two conversations that begin with the same words are two conversations', async () => {
    const hello = [{ role: 'user', content: 'Hello' }]
    const chat = (reply: string) => ({
      model: 'm',
      messages: [...hello, { role: 'assistant', content: reply }, { role: 'user', content: [image] }],
    })
    const got = await sent([chat('Hi Ann'), chat('Hi Ann'), chat('Hi Bob')], { 1: noImages })
    expect(got.map(hasImage)).toEqual([true, false, false, true])
  })

  test('a limit is learnt for the conversation too, and the system prompt may change', async () => {
    const three = (words: string, system: string) => ({
      model: 'm',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: words }, image, image, image] },
      ],
    })
    const error = 'At most 1 image(s) may be provided in one request.'
    const bodies = [three('one', '10:00'), three('one', '10:01'), three('two', '10:02')]
    const got = await sent(bodies, { 1: error })
    const images = got.map(body => JSON.stringify(body).split('"image_url":').length - 1)
    expect(images).toEqual([3, 1, 1, 3])
  })

  test('the provider gets the original again after fifty requests, since the cause may be gone', async () => {
    const got = await sent(
      Array.from({ length: 60 }, () => ask('one')),
      { 1: noImages },
    )
    const images = got.map(hasImage)
    expect(images.slice(0, 20)).toEqual([true, ...Array(19).fill(false)])
    expect(images.slice(-5)).toEqual(Array(5).fill(true))
  })

  test.each([
    `ValueError: ${noImages}`,
    `'${noImages}' is not one of ['image/png'] - 'messages.0.content.1'`,
    `messages.0.content.1.image_url: '${noImages}' is not a supported media type`,
    `litellm.BadRequestError: VertexAIException - ${noImages} is not a supported MIME type`,
  ])('text that is in the request teaches nothing: %s', async error => {
    const attack = ask('one', { user: noImages })
    const got = await sent([attack, attack], { 1: error })
    expect(hasImage(got.at(-1))).toBe(true)
  })

  test('a field is removed from other conversations only if their settings are the same', async () => {
    const error = 'Unrecognized request argument supplied: safety_identifier'
    const field = { safety_identifier: 'u1' }
    const bodies = [
      ask('one', { ...field, api_base: 'a' }),
      ask('one', { ...field, api_base: 'a', max_tokens: 9 }),
      ask('two', { ...field, api_base: 'a' }),
      ask('three', { ...field, api_base: 'b' }),
    ]
    const got = await sent(bodies, { 1: error })
    expect(got.map(body => 'safety_identifier' in body)).toEqual([true, false, false, false, true])
  })

  test('a parameter is removed only from requests with the settings of the rejected one', async () => {
    const error = "Unsupported parameter: 'temperature' is not supported with this model."
    const high = { model: 'm', messages: [{ role: 'user', content: 'hi' }], temperature: 0, reasoning_effort: 'high' }
    const got = await sent([high, high, { ...high, reasoning_effort: 'none' }], { 1: error })
    expect(got.map(body => body.temperature)).toEqual([0, undefined, undefined, 0])
  })
})
