import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { startProxy } from '../../../src/integrations/proxy/index.ts'
import { mutateJson } from '../../fuzz/mutate-json.ts'
import { Random } from '../../laws/random.ts'

/** A proxy with an upstream that takes everything, and cases for it. */
export async function startInputs() {
  const faults: string[] = []
  const statuses = new Map<string, number>()
  const upstream = createServer({ maxHeaderSize: 256 * 1024 }, (request, response) => {
    const chunks: Buffer[] = []
    const { pathname } = new URL(`http://x${request.url}`)
    if (!pathname.startsWith('/tenant/')) faults.push(`the upstream was asked for ${request.url}`)
    request.on('error', () => {})
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (request.headers['x-fuzz'] === 'json' && !isJson(body)) faults.push(`JSON became ${body.subarray(0, 200)}`)
      const [status, answer] = answers[body.length % answers.length]
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    })
  })
  upstream.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (/^HPE_(?!INVALID_EOF_STATE|CLOSED)/.test(error.code ?? ''))
      faults.push(`the upstream got no HTTP: ${error.code}`)
    socket.destroy()
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const to = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/tenant`
  const quiet = { onRepair() {}, onProxyError() {}, onError() {} }
  const proxy = await startProxy({ to, port: 0, requestMs: 500, maxBytes: 256 * 1024, ...quiet })

  const count = (name: string): void => void statuses.set(name, (statuses.get(name) ?? 0) + 1)
  return {
    faults,
    statuses,
    async try(seed: number): Promise<void> {
      const { pieces, ends } = inputs(new Random(seed))
      const heard = await speak(proxy.port, pieces, ends)
      if (heard === undefined) faults.push(`seed ${seed}: the connection stays open`)
      const read = readAnswers(heard ?? Buffer.alloc(0))
      for (const status of read.statuses) count(status)
      if (read.statuses.length === 0) count('closed')
      if (read.garbage !== undefined) faults.push(`seed ${seed}: the answer is not HTTP: ${read.garbage}`)
    },
    /** Whether it still serves, with nothing left under way. */
    async isAlive(): Promise<boolean> {
      for (let tries = 0; tries < 200; tries++) {
        const metrics = await (await fetch(`${proxy.url}/metrics`)).text()
        if (/^antiphon_proxy_in_flight 0$/m.test(metrics)) return (await fetch(`${proxy.url}/healthz`)).ok
        await wait(50)
      }
      return false
    },
    async close(): Promise<void> {
      await proxy.close()
      upstream.closeAllConnections()
      await new Promise(resolve => upstream.close(resolve))
    },
  }
}

const answers: readonly (readonly [number, string])[] = [
  [200, '{"id":"r","choices":[{"message":{"role":"assistant","content":"ok"}}]}'],
  [
    400,
    '{"error":{"message":"messages with role \'tool\' must be a response to a preceding message with \'tool_calls\'."}}',
  ],
  [200, ''],
  [500, 'no JSON'],
]

/** The bytes of one or more requests, in pieces, and how their sender ends. */
function inputs(random: Random): { pieces: Buffer[]; ends: End } {
  const count = random.chance(0.2) ? random.range(2, 4) : 1
  const ends = random.pick<End>(['waits', 'waits', 'waits', 'waits', 'half', 'gone'])
  const requests = Array.from({ length: count }, (_, index) =>
    requestBytes(random, count === 1, ends === 'waits' && index === count - 1),
  )
  const bytes = Buffer.concat(requests)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = random.chance(0.5) ? bytes.length : at + random.range(1, bytes.length)
    pieces.push(bytes.subarray(at, next))
    at = next
  }
  return { pieces, ends }
}

/** A client says that it wants no more and waits, closes its half of the connection, or goes. */
type End = 'waits' | 'half' | 'gone'

function requestBytes(random: Random, isAlone: boolean, isLast: boolean): Buffer {
  const [path, value] = random.pick(histories)
  const isChanged = random.chance(0.7)
  const json = Buffer.from(JSON.stringify(isChanged ? mutateJson(value, random) : value) ?? '')
  const packing = random.pick(packings)
  const cut = random.chance(0.1) ? json.subarray(0, random.int(json.length + 1)) : json
  const body = packing.pack(cut)
  const isExact = cut === json && packing.name === undefined
  let [method, target, version] = [random.chance(0.8) ? 'POST' : random.pick(methods), path, 'HTTP/1.1']
  const headers = ['host: localhost', 'content-type: application/json']
  if (packing.name !== undefined) headers.push(`content-encoding: ${packing.name}`)
  let framed = frame(body, headers, random)
  if (isLast) headers.push('connection: close')
  const changes = random.chance(0.4) ? 0 : random.range(1, 3)
  if (changes === 0 && isAlone && isExact && framed.isExact) headers.push('x-fuzz: json')
  for (let change = 0; change < changes; change++)
    switch (random.int(8)) {
      case 0:
        target = random.pick(targets)(target)
        break
      case 1:
        version = random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 ', 'http/1.1', '', 'HTTP/1.11', 'HTTP/9'])
        break
      case 2:
        method = random.pick(methods)
        break
      case 3:
        headers.splice(random.int(headers.length), 1)
        break
      case 4:
        headers.push(random.pick(headers))
        break
      case 7:
        framed = { ...framed, bytes: framed.bytes.subarray(0, random.int(framed.bytes.length + 1)) }
        break
      default:
        headers.splice(random.int(headers.length + 1), 0, random.pick(oddHeaders))
    }
  const lineBreak = changes === 0 || random.chance(0.9) ? '\r\n' : random.pick(['\n', '\r', '\r\n\r\n', '\r\n '])
  const head = [`${method} ${target} ${version}`, ...headers].join(lineBreak)
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), framed.bytes])
}

function frame(body: Buffer, headers: string[], random: Random): { bytes: Buffer; isExact: boolean } {
  const kind = random.int(10)
  if (kind < 5) {
    headers.push(`content-length: ${body.length}`)
    return { bytes: body, isExact: true }
  }
  if (kind < 8) {
    const isWhole = random.chance(0.7)
    headers.push('transfer-encoding: chunked')
    return { bytes: chunked(body, random, isWhole), isExact: isWhole }
  }
  headers.push(...random.pick(framings)(body.length))
  return { bytes: random.chance(0.5) ? body : chunked(body, random, random.chance(0.5)), isExact: false }
}

function chunked(body: Buffer, random: Random, isWhole: boolean): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, random.range(1, 4_000))
    const extension = random.chance(0.1) ? ';a="b\\"c"' : ''
    const said =
      isWhole || random.chance(0.8) ? size.toString(16) : random.pick(['ffffffffffffffff1', '-1', '', 'x', '0'])
    pieces.push(Buffer.from(`${said}${extension}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'))
    at += size
  }
  const trailer = random.chance(0.1) ? 'x-trailer: 1\r\ncontent-length: 3\r\n' : ''
  return Buffer.concat([
    ...pieces,
    Buffer.from(isWhole ? `0\r\n${trailer}\r\n` : random.pick(['', '0\r\n', '0\r\n\r'])),
  ])
}

/** Sends the pieces, and gives what came until the connection was closed; undefined if it stays open. */
async function speak(port: number, pieces: readonly Buffer[], ends: End): Promise<Buffer | undefined> {
  const socket = connect({ port, host: '127.0.0.1' })
  const heard: Buffer[] = []
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', chunk => heard.push(chunk))
  for (const piece of pieces) {
    socket.write(piece)
    if (pieces.length > 1) await new Promise(setImmediate)
  }
  if (ends === 'half') socket.end()
  if (ends === 'gone') setTimeout(() => socket.destroy(), 20)
  // A connection that was answered may be kept open for the next request.
  let idle: NodeJS.Timeout | undefined
  socket.on('data', () => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.destroy(), 300)
  })
  const late = setTimeout(() => socket.destroy(new Error('late')), 60_000)
  let isLate = false
  socket.on('error', error => {
    isLate ||= error.message === 'late'
  })
  await closed
  clearTimeout(idle)
  clearTimeout(late)
  return isLate ? undefined : Buffer.concat(heard)
}

/** The statuses of the answers in a row. One that is cut off ends it; whatever is not an answer is garbage. */
function readAnswers(bytes: Buffer): { statuses: string[]; garbage?: string } {
  const statuses: string[] = []
  let text = bytes.toString('latin1')
  while (text !== '') {
    const head = /^HTTP\/1\.1 ([1-5]\d\d) [^\r\n]*\r\n((?:[\w!#$%&'*+.^`|~-]+:[^\r\n\0]*\r\n)*)\r\n/.exec(text)
    if (!head) return { statuses, garbage: JSON.stringify(text.slice(0, 200)) }
    statuses.push(head[1])
    text = text.slice(head[0].length)
    if (head[1].startsWith('1')) continue
    const length = /^content-length: *(\d+)\r$/im.exec(head[2])?.[1]
    // An answer to HEAD has no body: the next one begins at once.
    if (text.startsWith('HTTP/1.1 ')) continue
    if (length !== undefined) text = text.slice(Number(length))
    else if (/^transfer-encoding: *chunked\r$/im.test(head[2])) {
      const end = text.indexOf('0\r\n\r\n')
      if (end < 0) break
      text = text.slice(end + 5)
    } else break
  }
  return { statuses }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
const histories: readonly (readonly [string, unknown])[] = [
  [
    '/v1/chat/completions',
    {
      model: 'gpt-5.5',
      stream: true,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'user', content: 'go on' },
        { role: 'tool', tool_call_id: 'c1', content: 'late' },
      ],
    },
  ],
  [
    '/v1/messages',
    {
      model: 'claude-opus-4-1',
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { a: 1 } }] },
        { role: 'user', content: 'go on' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'x' }] },
      ],
    },
  ],
  [
    '/v1/responses',
    {
      model: 'gpt-5.5',
      input: [
        { role: 'user', content: 'hi' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c2', output: 'x' },
      ],
    },
  ],
  [
    '/v1beta/models/gemini-2.5-pro:generateContent?key=x',
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'other', response: {} } }] },
      ],
    },
  ],
  ['/v1/models', { any: 'thing' }],
]

const packings = [
  ...Array(6).fill({ name: undefined, pack: (body: Buffer) => body }),
  { name: 'gzip', pack: (body: Buffer) => gzipSync(body) },
  { name: 'deflate', pack: (body: Buffer) => deflateSync(body) },
  { name: 'zstd', pack: (body: Buffer) => zstdCompressSync(body) },
  { name: 'gzip', pack: (body: Buffer) => gzipSync(body).subarray(0, -3) },
  { name: 'gzip', pack: (body: Buffer) => body },
  { name: 'br, gzip', pack: (body: Buffer) => gzipSync(body) },
  { name: 'gzip', pack: () => gzipSync(Buffer.alloc(4 * 1024 * 1024)) },
] as const

const methods = [
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'CONNECT',
  'TRACE',
  'PRI',
  'post',
  'POST\t',
  'QUERY',
  '',
]

const targets: readonly ((target: string) => string)[] = [
  target => `http://evil.com${target}`,
  target => `//evil.com${target}`,
  target => `/../..${target}`,
  target => `${target}/%2e%2e/%2e%2e/x`,
  target => `${target}?${'q=1&'.repeat(300)}`,
  target => `${target}#x`,
  target => target.replaceAll('/', '\\'),
  target => `${target}/${'a'.repeat(70_000)}`,
  target => `${target}\u0000\u00ff`,
  target => `${target} x`,
  () => '*',
  () => '',
  () => '/metrics',
  () => '/healthz?x',
  () => '/%',
  () => 'a:1',
]

const framings: readonly ((length: number) => string[])[] = [
  length => [`content-length: ${length + 7}`],
  length => [`content-length: ${Math.max(0, length - 7)}`],
  length => [`content-length: ${length}`, `content-length: ${length + 1}`],
  length => [`content-length: ${length}`, 'transfer-encoding: chunked'],
  () => ['content-length: -1'],
  () => ['content-length: 99999999999999999999'],
  () => ['content-length: 300000'],
  () => ['content-length:'],
  () => ['transfer-encoding: gzip, chunked'],
  () => ['transfer-encoding: chunked, chunked'],
  () => ['transfer-encoding: Chunked '],
  () => [],
]

const oddHeaders = [
  ...[
    'expect: 100-continue',
    'expect: x',
    'upgrade: websocket',
    'upgrade: h2c',
    'connection: upgrade',
    'connection: close',
  ],
  ...[
    'connection: keep-alive, content-length, authorization',
    'te: trailers',
    'trailer: content-length',
    'host: evil.com',
  ],
  ...[
    'origin: https://evil.com',
    'sec-fetch-site: cross-site',
    'content-type: text/plain',
    'content-type: multipart/form-data',
  ],
  ...[
    'content-encoding: identity, gzip',
    'content-encoding: x',
    'x: \u0000',
    'x: \u00ff\u0085',
    'x y: 1',
    ': 1',
    'x',
    'x:\ty',
  ],
  ...[
    '__proto__: 1',
    'constructor: 2',
    'x-antiphon-repairs: 1',
    'authorization: AWS4-HMAC-SHA256 Credential=x, Signature=y',
  ],
  ...[
    'x-amz-content-sha256: STREAMING',
    'accept-encoding: gzip',
    'content-length : 3',
    ' folded: 1',
    `x: ${'y'.repeat(70_000)}`,
  ],
  ...[
    `cookie: ${'a=b; '.repeat(500)}`,
    'proxy-connection: x',
    'keep-alive: timeout=1',
    'http2-settings: AA',
    'range: bytes=0-',
  ],
]
