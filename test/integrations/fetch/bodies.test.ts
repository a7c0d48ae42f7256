import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startRecorder } from './recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from './requests.ts'

type Form = (text: string) => RequestInit

const bytes = (text: string) => new TextEncoder().encode(text)

const streamOf = (text: string) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < text.length; at += 40) controller.enqueue(bytes(text.slice(at, at + 40)))
      controller.close()
    },
  })

const forms: Record<string, Form> = {
  string: text => post(text),
  Uint8Array: text => post(bytes(text)),
  Buffer: text => post(Buffer.from(text)),
  ArrayBuffer: text => post(bytes(text).buffer),
  DataView: text => post(new DataView(bytes(`xx${text}`).buffer, 2)),
  Blob: text => post(new Blob([text], { type: 'application/json' })),
  ReadableStream: text => post(streamOf(text), { duplex: 'half' }),
  'Node stream': text => post(Readable.from([bytes(text)]) as never, { duplex: 'half' }),
  gzip: text => post(gzipSync(text), { headers: { 'Content-Encoding': 'gzip' } }),
  deflate: text => post(deflateSync(text), { headers: [['content-encoding', 'deflate']] }),
  br: text => post(brotliCompressSync(text), { headers: new Headers({ 'content-encoding': 'br' }) }),
  zstd: text => post(zstdCompressSync(text), { headers: { 'content-encoding': 'zstd' } }),
  'a gzip stream': text =>
    post(new Blob([gzipSync(text)]).stream(), { duplex: 'half', headers: { 'content-encoding': 'gzip' } }),
}

const cases = Object.entries(forms)

test.each(cases)('[H3] a healthy body arrives byte for byte: %s', async (_, form) => {
  await using plain = await startRecorder()
  await using healed = await startRecorder()
  await fetch(plain.url + chatPath, form(healthyBody))
  await healFetch()(healed.url + chatPath, form(healthyBody))
  expect(healed.requests[0].body.equals(plain.requests[0].body)).toBe(true)
  expect(headersOf(healed)).toEqual(headersOf(plain))
})

test.each(cases)('[H3] a broken body is healed, and its headers match it: %s', async (_, form) => {
  await using server = await startRecorder()
  await healFetch()(server.url + chatPath, form(brokenBody))
  const [{ body, headers }] = server.requests
  expect(messagesOf(body)).toMatchObject([{}, { tool_calls: [{}] }, { role: 'tool' }, { role: 'user' }])
  expect(headers['content-length']).toBe(String(body.length))
  expect(headers['content-encoding']).toBeUndefined()
})

const inputs: Record<string, (url: string, init: RequestInit) => Parameters<typeof fetch>> = {
  'a string and options': (url, init) => [url, init],
  'a URL and options': (url, init) => [new URL(url), init],
  'a Request': (url, init) => [new Request(url, init)],
  'a Request and options': (url, { body, ...init }) => [new Request(url, init), { body: body ?? null }],
  'a Request in the place of the options': (url, init) => [url, new Request('http://127.0.0.1/', init)],
}

test.each(Object.entries(inputs))('[H3] the request may be %s', async (_, input) => {
  for (const text of [healthyBody, brokenBody]) {
    await using server = await startRecorder()
    const init = post(text, { headers: { 'content-type': 'application/json', 'X-Mine': 'kept' } })
    const response = await healFetch()(...input(`${server.url}${chatPath}?api-version=1`, init))
    expect(response.status).toBe(200)
    const [{ body, headers, path, method }] = server.requests
    expect([method, path, headers['content-type'], headers['x-mine']]).toEqual([
      ...['POST', `${chatPath}?api-version=1`, 'application/json', 'kept'],
    ])
    expect(headers['content-length']).toBe(String(body.length))
    expect(messagesOf(body).length).toBe(text === healthyBody ? 3 : 4)
    if (text === healthyBody) expect(body.toString()).toBe(healthyBody)
  }
})

test('[H3] a blob keeps its type when it is healed', async () => {
  await using server = await startRecorder()
  await healFetch()(server.url + chatPath, post(new Blob([brokenBody], { type: 'application/json' })))
  expect(server.requests[0].headers['content-type']).toBe('application/json')
})

test('[H4] headers that describe the old body are removed, all others are kept', async () => {
  await using server = await startRecorder()
  const old = {
    Digest: 'sha-256=x',
    'Content-MD5': 'x',
    'Repr-Digest': 'x',
    'Content-Length': String(brokenBody.length),
  }
  const kept = { Authorization: 'Bearer key', 'X-Custom': 'a, b', 'Content-Type': 'application/json' }
  await healFetch()(server.url + chatPath, post(brokenBody, { headers: { ...old, ...kept } }))
  const { headers, body } = server.requests[0]
  expect(headers).toMatchObject({ authorization: 'Bearer key', 'x-custom': 'a, b', 'content-type': 'application/json' })
  expect(headers['content-length']).toBe(String(body.length))
  expect(['digest', 'content-md5', 'repr-digest'].filter(name => name in headers)).toEqual([])
})

test('[H4] headers keep their form, spelling and order', async () => {
  const seen: unknown[] = []
  const spy: typeof fetch = async (_, init) => {
    seen.push(init?.headers)
    return new Response('{}')
  }
  const healed = healFetch({ fetch: spy })
  const pairs: [string, string][] = [
    ['X-B', '1'],
    ['content-LENGTH', '9'],
    ['x-a', '2'],
  ]
  await healed(`http://any${chatPath}`, post(brokenBody, { headers: pairs }))
  await healed(`http://any${chatPath}`, post(brokenBody, { headers: Object.fromEntries(pairs) }))
  expect(seen).toEqual([[pairs[0], pairs[2]], { 'X-B': '1', 'x-a': '2' }])
})

test('[H14] numbers of any length survive', async () => {
  await using server = await startRecorder()
  const text = brokenBody.replace('"messages"', '"seed":12345678901234567890123,"p":0.1234567890123456789,"messages"')
  await healFetch()(server.url + chatPath, post(text))
  const body = server.requests[0].body.toString()
  expect(messagesOf(server.requests[0].body).length).toBe(4)
  expect(body).toContain('"seed":12345678901234567890123,"p":0.1234567890123456789')
})

/** Without what tells the two servers apart, and without its length: a stream that was read has one now. */
function headersOf({ requests }: { requests: { headers: Record<string, unknown> }[] }) {
  const { host: _, 'content-length': length, 'transfer-encoding': coding, ...headers } = requests[0].headers
  expect(length ?? coding).toBeDefined()
  return headers
}
