import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { brokenBody, chatPath, healthyBody, post } from './requests.ts'

type Arguments = Parameters<typeof fetch>

/** What a `fetch` gets from the healing one. */
async function given(...args: Arguments): Promise<unknown[]> {
  const calls: unknown[][] = []
  const spy = async (...seen: unknown[]) => {
    calls.push(seen)
    return new Response('{}')
  }
  await healFetch({ fetch: spy as typeof fetch, onError: fail, maxBytes: 100_000 })(...args)
  expect(calls.length).toBe(1)
  return calls[0]
}

const chat = `https://api.openai.com${chatPath}`
const form = new FormData()
form.set('messages', '[]')
const locked = new Blob([brokenBody]).stream()
locked.getReader()
const used = new Request(chat, post(brokenBody))
await used.text()
const taken = new Request(chat, post(brokenBody))
taken.body?.getReader()
const detached = new TextEncoder().encode(brokenBody)
structuredClone(detached, { transfer: [detached.buffer] })

const passed: Record<string, Arguments> = {
  'a healthy request': [chat, post(healthyBody)],
  'a healthy Request': [new Request(chat, post(healthyBody))],
  'a request without a body': [chat, { method: 'POST' }],
  'a GET': [chat],
  'a PUT': [chat, { ...post(brokenBody), method: 'PUT' }],
  'a path that takes no history': ['https://api.openai.com/v1/embeddings', post(brokenBody)],
  'a message of a thread': [
    'https://api.openai.com/v1/threads/thread_1/messages',
    post('{"role":"user","content":"Hi"}'),
  ],
  'a form': [chat, post(form)],
  'search parameters': [chat, post(new URLSearchParams({ messages: '[]' }))],
  'a body above the limit': [chat, post(brokenBody.replace('Book', 'Book '.repeat(30_000)))],
  'a body that is no JSON': [chat, post(`${brokenBody}]`)],
  'a body that is cut off': [chat, post(brokenBody.slice(0, -9))],
  'a body that is no object': [chat, post('[1, 2]')],
  'bytes that are not text': [chat, post(new Uint8Array([0xff, 0xfe, 0x7b]))],
  'bytes of which one is no text': [chat, post(Buffer.from(brokenBody.replace('Book', 'B\u00f6\u00f6k'), 'latin1'))],
  'bytes that lie about their encoding': [
    chat,
    post(Buffer.from(brokenBody), { headers: { 'content-encoding': 'gzip' } }),
  ],
  'an unknown encoding': [chat, post(Buffer.from(brokenBody), { headers: { 'content-encoding': 'zstd, gzip' } })],
  'a history that is a text': ['https://api.openai.com/v1/responses', post('{"model":"gpt-5","input":"Hi"}')],
  'messages of another shape': [
    chat,
    post('{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":""}]}]}'),
  ],
  'a prompt of the old completions': ['https://api.openai.com/v1/completions', post('{"prompt":"Hi"}')],
  'a completion of Ollama': ['http://127.0.0.1:11434/api/generate', post(brokenBody)],
  'a relative URL': ['/v1/chat/completions', post(brokenBody)],
  'no URL': ['', post(brokenBody)],
  'headers that are none': [chat, post(brokenBody, { headers: { 'no good': 'x' } })],
  'a locked stream': [chat, post(locked, { duplex: 'half' })],
  'a used Request': [used],
  'a Request that somebody reads': [taken],
  'bytes that are gone': [chat, post(detached)],
  'an empty body in the place of another': [new Request(chat, post(brokenBody)), { body: '' }],
  'a field that looks like a wrapper': [chat, post(healthyBody.replace('"x"', '"request":{},"x"'))],
}

test.each(Object.entries(passed))('[H2] %s is passed on with the caller’s own arguments', async (_, args) => {
  const seen = await given(...args)
  expect(seen.length).toBe(args.length)
  expect(seen.every((argument, index) => argument === args[index])).toBe(true)
})

test('[H2] a stream above the limit is passed on complete', async () => {
  const chunk = new Uint8Array(30_000).fill(0x20)
  let pulled = 0
  const stream = new ReadableStream({
    pull(controller) {
      if (pulled++ < 10) controller.enqueue(chunk)
      else controller.close()
    },
  })
  const [, init] = await given(chat, post(stream, { duplex: 'half' }))
  expect(pulled).toBeLessThan(7)
  expect((await new Response((init as RequestInit).body ?? null).bytes()).length).toBe(300_000)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('[H2] a compressed body that exceeds the limit once decompressed is not changed: %s', async (encoding, compress) => {
  const body = compress(brokenBody.replace('Book', 'Book '.repeat(200_000)))
  expect(body.length).toBeLessThan(100_000)
  const init = post(body, { headers: { 'content-encoding': encoding } })
  expect(await given(chat, init)).toEqual([chat, init])
})

test('[H2] the global fetch is looked up at the time of the request', async () => {
  const healed = healFetch()
  const before = globalThis.fetch
  try {
    globalThis.fetch = async () => new Response('mine')
    expect(await (await healed(chat, post(brokenBody))).text()).toBe('mine')
  } finally {
    globalThis.fetch = before
  }
})

test('[H2] it may replace the global fetch itself', async () => {
  const before = globalThis.fetch
  try {
    globalThis.fetch = async () => new Response('mine')
    globalThis.fetch = healFetch()
    expect(await (await fetch(chat, post(brokenBody))).text()).toBe('mine')
  } finally {
    globalThis.fetch = before
  }
})

function fail(error: unknown): never {
  throw error
}
