import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { type HealFetchOptions, healFetch } from '../../../src/integrations/fetch/index.ts'
import { inspect, readTape, type TapeEntry } from '../../../src/observe/tape/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { recording } from '../../observe/tape/recording.ts'
import { anthropicMessages } from './clients/anthropic.ts'
import { schema, tool } from './clients/client.ts'
import { clients } from './clients/index.ts'
import { chatMessages } from './clients/openai.ts'
import { failures, healthy, type Said } from './failures.ts'
import { startRecorder } from './recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from './requests.ts'

/** A fetch with a tape, and what is on it so far. */
function taped(options: HealFetchOptions = {}) {
  const { tape, text } = recording()
  const entries = (): readonly TapeEntry[] => readTape(text()).entries
  return { fetch: healFetch({ ...options, tape }), entries, seen: () => inspect(entries()), text }
}

const kinds = (entries: readonly TapeEntry[]): string[] => entries.map(({ kind }) => kind)

describe.each(clients.flatMap(client => [false, true].map(stream => ({ client, stream, name: client.name }))))(
  '$name, streaming $stream',
  ({ client, stream }) => {
    const ask = async (messages: readonly Said[], options: HealFetchOptions = {}) => {
      await using strict = await startStrict()
      const { fetch, entries, seen } = taped(options)
      await client.ask({ url: strict.url, messages, stream, fetch }).catch(() => {})
      return { kinds: kinds(entries()), request: seen().requests.at(-1) }
    }

    test('[H16] a healthy request is on the tape, with its acceptance', async () => {
      const { kinds, request } = await ask(healthy)
      expect(kinds).toEqual(['request', 'response'])
      expect(request).toMatchObject({ verdict: 'accepted', status: 200, repairs: [], content: { errors: [] } })
    })

    const [broken] = client.refused
    if (broken === undefined) return
    test('[H16] a broken request is on the tape as the program made it, with its repairs', async () => {
      const { kinds, request } = await ask(failures[broken])
      expect(kinds).toEqual(['request', 'repair', 'response'])
      expect(request?.verdict).toBe('accepted')
      for (const found of [request?.content?.errors, request?.repairs]) expect(found?.length).toBeGreaterThan(0)
    })

    test('[H16] a rejection is on the tape with the provider’s message', async () => {
      const { kinds, request } = await ask(failures[broken], { allow: [] })
      expect(kinds).toEqual(['request', 'response'])
      expect(request).toMatchObject({ verdict: 'rejected', status: 400, refusal: expect.stringMatching(/\w+ \w+/) })
    })
  },
)

describe('the content of a response', () => {
  const script = [{ text: 'Wait.', calls: [{ name: tool, id: 'call_7', input: { city: 'Lisbon' } }] }]
  const chat = { model: 'gpt-5', messages: chatMessages(healthy) }
  const claude = { model: 'claude-opus-4-5', max_tokens: 99, messages: anthropicMessages(healthy) }

  test.each([false, true])('[H17] calls that openai makes, streamed %s', async stream => {
    await using strict = await startStrict({ script })
    const { fetch, entries, seen } = taped()
    const client = new OpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'sk-1234567890abcdef', fetch })
    const tools = [{ type: 'function' as const, function: { name: tool, parameters: schema } }]
    if (stream) for await (const _ of await client.chat.completions.create({ ...chat, tools, stream }));
    else await client.chat.completions.create({ ...chat, tools })
    expect(seen().calls.at(-1)).toMatchObject({ id: 'call_7', name: tool, recorded: { request: 1 } })
    const { reply } = entries()[1] as Extract<TapeEntry, { kind: 'response' }>
    expect(reply?.finish).toBe(stream ? 'stop' : undefined)
    expect(JSON.stringify(entries())).not.toMatch(/Lisbon|Wait|1234567890/)
  })

  test.each([false, true])('[H17] calls that Anthropic’s client gets, streamed %s', async stream => {
    await using strict = await startStrict({ script: [{ ...script[0], calls: [{ name: tool, id: 'toolu_7' }] }] })
    const { fetch, seen } = taped()
    const client = new Anthropic({ baseURL: strict.url, apiKey: 'any', fetch })
    const request = { ...claude, tools: [{ name: tool, input_schema: schema }] }
    if (stream) await client.messages.stream(request).finalMessage()
    else await client.messages.create(request)
    expect(seen().calls.at(-1)).toMatchObject({ id: 'toolu_7', name: tool, recorded: { request: 1 } })
  })

  test('[H17] an error inside a stream is a rejection', async () => {
    await using strict = await startStrict({ mode: 'overload:stream' })
    const { fetch, seen } = taped()
    const client = new Anthropic({ baseURL: strict.url, apiKey: 'any', maxRetries: 0, fetch })
    await expect(client.messages.stream(claude).finalMessage()).rejects.toThrow('verloaded')
    expect(seen().requests).toMatchObject([{ verdict: 'rejected', status: 200, refusal: 'Overloaded' }])
  })

  test.each(['', '?alt=sse'])('[H17] Gemini streams a list, or events: %s', async query => {
    const chunks = ['Look', 'ing.'].map(text => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }))
    const body = query ? chunks.map(chunk => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('') : JSON.stringify(chunks)
    const headers = { 'content-type': query ? 'text/event-stream' : 'application/json; charset=UTF-8' }
    await using server = await startRecorder({ body, headers })
    const { fetch, entries } = taped()
    const contents = [{ role: 'user', parts: [{ text: 'Look.' }] }]
    const path = `/v1beta/models/gemini-2.5-pro:streamGenerateContent${query}`
    const response = await fetch(server.url + path, post(JSON.stringify({ contents })))
    expect(await response.text()).toBe(body)
    expect(entries()[1]).toMatchObject({ status: 200, reply: { messages: [{ parts: [{ text: 'xxxxxxx.' }] }] } })
  })

  test('[H17] a response that cannot be parsed, or is too long, loses only its own content', async () => {
    const events = { 'content-type': 'text/event-stream' }
    const answers: { body: string; headers?: Record<string, string>; lost?: string }[] = [
      { body: 'data: {"half', headers: events },
      { body: `data: ${'x'.repeat(100_000)}\n\n`, headers: events },
      { body: `{"text":"${'x'.repeat(5_000_000)}"}`, lost: 'it is too long: more than 4194304 characters' },
      { body: '\u0000\u0001', headers: { 'content-type': 'application/vnd.amazon.eventstream' } },
    ]
    await using server = await startRecorder(...answers)
    for (const { body, lost } of answers) {
      const { fetch, entries } = taped()
      expect(await (await fetch(server.url + chatPath, post(healthyBody))).text()).toBe(body)
      const note = lost === undefined ? {} : { lost }
      expect(entries()[1]).toEqual({ kind: 'response', request: 'one.1', status: 200, ...note, ...stamp })
    }
  })

  test('[H17] the retry is a second request', async () => {
    await using strict = await startStrict({ provider: 'mistral' })
    const { fetch, entries, seen } = taped()
    const messages = chatMessages([...failures.system.slice(2), { who: 'user', text: 'And on Saturday?' }])
    const response = await fetch(strict.url + chatPath, post(JSON.stringify({ model: 'prod', messages })))
    expect(await response.json()).toMatchObject({ object: 'chat.completion' })
    expect(kinds(entries())).toEqual(['request', 'response', 'request', 'repair', 'response'])
    expect(seen().requests).toMatchObject([
      { verdict: 'rejected', request: { dialect: 'openai' } },
      { verdict: 'accepted', request: { dialect: 'mistral' } },
    ])
  })

  test('[H17] a missing response is recorded, with the error message', async () => {
    await using server = await startRecorder('reset')
    const { fetch, seen } = taped()
    const failure = (send: typeof fetch) =>
      send(server.url + chatPath, post(brokenBody)).catch((error: Error) => String(error))
    expect(await failure(fetch)).toBe(await failure(globalThis.fetch))
    const aborted = taped()
    await expect(
      aborted.fetch(server.url + chatPath, post(brokenBody, { signal: AbortSignal.abort() })),
    ).rejects.toThrow('aborted')
    expect(seen().requests).toMatchObject([{ verdict: 'failed', refusal: 'fetch failed: other side closed' }])
    expect(aborted.seen().requests).toMatchObject([{ verdict: 'failed', refusal: 'This operation was aborted' }])
  })
})

const stamp = { at: expect.any(Number), order: 2, from: 'one' }

describe('a tape changes nothing', () => {
  test('[H18] the sent bytes are the same', async () => {
    await using server = await startRecorder()
    const send = async (fetch: typeof globalThis.fetch, body: string) => {
      await (await fetch(server.url + chatPath, post(body, { headers: { authorization: 'Bearer secret' } }))).text()
      const { headers, ...rest } = server.requests[server.requests.length - 1]
      return { ...rest, headers: { ...headers, host: '' } }
    }
    for (const body of [healthyBody, brokenBody, '{"no":"history"}', 'no JSON'])
      expect(await send(taped().fetch, body)).toEqual(await send(healFetch(), body))
    const { fetch, text } = taped()
    await send(fetch, brokenBody)
    expect(text()).not.toContain('secret')
    expect(messagesOf(server.requests[0].body)).toHaveLength(3)
  })

  test('[H18] the response is the same, however it is read', async () => {
    const headers = { 'set-cookie': 'a=1', 'x-request-id': 'r1' }
    await using target = await startRecorder({ status: 201, headers, body: '{"said":"é"}' })
    await using door = await startRecorder({ status: 307, headers: { location: target.url + chatPath } })
    const look = async (fetch: typeof globalThis.fetch) => {
      const ask = () => fetch(door.url + chatPath, post(healthyBody))
      const response = await ask()
      const { status, statusText, url, redirected, type, ok, bodyUsed } = response
      const copy = response.clone()
      const { date: _date, ...named } = Object.fromEntries(response.headers)
      const byob = (await ask()).body?.getReader({ mode: 'byob' })
      const room = await byob?.read(new Uint8Array(4))
      await byob?.cancel()
      return {
        ...{ status, statusText, url, redirected, type, ok, bodyUsed, named },
        ...{ copied: [copy.url, copy.redirected, copy.clone().url, await copy.text()], json: await response.json() },
        ...{ after: response.bodyUsed, room: [...(room?.value ?? [])], blob: (await (await ask()).blob()).type },
        ...{ isResponse: response instanceof Response, bytes: [...new Uint8Array(await (await ask()).arrayBuffer())] },
      }
    }
    expect(await look(taped().fetch)).toEqual(await look(globalThis.fetch))
  })

  test('[H18] a request without a history is not on it', async () => {
    await using server = await startRecorder()
    const { fetch, entries } = taped()
    for (const body of ['{"no":"history"}', 'no JSON', undefined]) await fetch(server.url + chatPath, post(body))
    await fetch(`${server.url}/v1/embeddings`, post(healthyBody))
    expect(entries()).toEqual([])
  })

  test('[H18] a response of a custom class is passed on, with its status on the tape', async () => {
    const own = { status: 200, headers: new Headers(), body: {} } as unknown as Response
    const { fetch, entries } = taped({ fetch: async () => own })
    expect(await fetch(`http://any${chatPath}`, post(healthyBody))).toBe(own)
    expect(entries()[1]).toMatchObject({ status: 200 })
  })
})

describe('a reader that cancels', () => {
  const event = (content: string) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`

  /** A server that begins a stream and never ends it; it knows when the connection is closed. */
  async function endless() {
    const closed: Promise<unknown>[] = []
    let sent = 0
    const server = createServer((request, response: ServerResponse) => {
      request.resume()
      closed.push(once(response, 'close'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const write = () => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += 10_000
          if (!response.write(event('x'.repeat(10_000)))) return response.once('drain', write)
        }
      }
      response.write(event('Well, '))
      request.url?.startsWith('/fast') ? write() : undefined
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      closed,
      sent: () => sent,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      },
    }
  }

  const cutOff = { status: 200, reply: { messages: [{ role: 'assistant', content: 'xxxx, ' }], finish: 'cut' } }

  test('[H19] cancelling the body closes the connection, and what had arrived is on the tape as cut', async () => {
    await using server = await endless()
    const { fetch, entries } = taped()
    const response = await fetch(server.url + chatPath, post(healthyBody))
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    expect(kinds(entries())).toEqual(['request'])
    await reader?.cancel()
    await server.closed[0]
    expect(entries()[1]).toMatchObject(cutOff)
  })

  test('[H19] so does cancelling it before reading', async () => {
    await using server = await endless()
    const { fetch, entries } = taped()
    await (await fetch(server.url + chatPath, post(healthyBody))).body?.cancel()
    await server.closed[0]
    // Its first event was read, to tell whether it is an error.
    expect(entries()[1]).toMatchObject(cutOff)
  })

  test('[H19] a client that leaves its loop closes the connection', async () => {
    await using server = await endless()
    const { fetch, entries } = taped()
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', fetch })
    const messages = chatMessages(healthy)
    for await (const _ of await client.chat.completions.create({ model: 'gpt-5', stream: true, messages })) break
    await server.closed[0]
    await expect.poll(() => entries()[1]).toMatchObject(cutOff)
  })

  test('[H19] a signal reaches a reader that waits, and one that does not', async () => {
    await using server = await endless()
    for (const waits of [true, false]) {
      const { fetch, entries } = taped()
      const controller = new AbortController()
      const response = await fetch(server.url + chatPath, post(healthyBody, { signal: controller.signal }))
      const reader = response.body?.getReader()
      await reader?.read()
      const reading = waits ? reader?.read() : reader?.closed
      setTimeout(() => controller.abort(), 20)
      await expect(reading).rejects.toThrow('aborted')
      await expect.poll(() => entries()[1]).toMatchObject(cutOff)
    }
  })

  test('[H19] nothing is read ahead of the reader', async () => {
    await using server = await endless()
    const { fetch } = taped()
    const response = await fetch(`${server.url}/fast${chatPath}`, post(healthyBody))
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(server.sent()).toBeLessThan(50_000_000)
    await reader?.cancel()
  })
})
