import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { expect, test } from 'vitest'
import { lessonKey } from '../../../src/integrations/fetch/lesson-key.ts'
import { typeIn } from '../../../src/integrations/proxy/websocket/heal-message.ts'
import { canChooseUpgrades } from '../../../src/integrations/proxy/websocket/relay-upgrade.ts'
import { createTape } from '../../../src/observe/tape/create-tape.ts'
import { metric, serve, talk, upstream } from './serving.ts'
import { frame, openSocket, until, webSockets } from './websocket-upstream.ts'

const path = '/v1/responses'
const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'seen' }
const said = (text: string) => ({ role: 'user', content: text })
const create = (more: object): string => JSON.stringify({ type: 'response.create', model: 'gpt-5.5', ...more })

test('[PX51] the SDK of OpenAI over a WebSocket: a broken history is repaired and reported, and answers come back', async () => {
  const { url: to, peers } = await webSockets(({ socket }) => {
    socket.once('data', () =>
      socket.write(frame(1, JSON.stringify({ type: 'response.completed', sequence_number: 1 }))),
    )
  })
  const { url, reports, proxyErrors, errors } = await serve({ to })
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1` })
  const socket = new ResponsesWS(client)
  const answered = new Promise<unknown>(resolve => socket.on('response.completed' as never, resolve as never))
  socket.send({ type: 'response.create', model: 'gpt-5.5', input: [said('Go'), call, said('Next')] } as never)
  expect(await answered).toMatchObject({ type: 'response.completed' })
  const [sent] = peers[0].messages.map(text => JSON.parse(text))
  expect(sent).toMatchObject({ type: 'response.create', model: 'gpt-5.5' })
  expect(sent.input.map((item: { type?: string }) => item.type)).toEqual([
    undefined,
    'function_call',
    'function_call_output',
    undefined,
  ])
  expect(peers[0].request?.headers.authorization).toBe('Bearer sk-test')
  expect(reports).toMatchObject([
    { format: 'openai-responses', dialect: 'openai-responses', rules: { 'unanswered-call': 1 } },
  ])
  expect([proxyErrors, errors]).toEqual([[], []])
  const { length } = peers[0].bytes
  socket.close()
  await until(() => peers[0].bytes.length > length)
  peers[0].socket.end(frame(8, Buffer.from([3, 232])))
  await until(() => peers[0].isClosed)
  while ((await metric(url, 'in_flight')) > 0) await new Promise(resolve => setTimeout(resolve, 5))
  expect(await metric(url, 'requests_total', { status: '101' })).toBe(1)
})

test('[PX51] a message that continues the state of the provider keeps its results, and one that does not gets a call', async () => {
  const { url: to, peers } = await webSockets()
  const { port, reports } = await serve({ to })
  const { peer } = await openSocket(port, path)
  const continued = create({ previous_response_id: 'resp_1', input: [output] })
  peer.socket.write(frame(1, continued, { mask: 'abcd' }))
  peer.socket.write(frame(1, create({ input: [said('Go'), output] }), { mask: 'abcd' }))
  await until(() => peers[0].messages.length === 2)
  expect(peers[0].messages[0]).toBe(continued)
  expect(JSON.parse(peers[0].messages[1]).input.map((item: { type?: string }) => item.type)).toEqual([
    undefined,
    'function_call',
    'function_call_output',
  ])
  expect(reports.map(({ rules }) => rules)).toEqual([{ 'orphan-result': 1 }])
})

test('[PX51] a message has the lessons of requests with the same account, whatever key its connection has', () => {
  const lessons = (...more: readonly (readonly [string, string])[]) =>
    lessonKey('https://api.openai.com/v1/responses', [['authorization', 'Bearer sk-1'], ...more])
  expect(lessons(['sec-websocket-key', 'a'], ['sec-websocket-version', '13'])).toBe(lessons())
  expect(lessons(['openai-organization', 'org-2'])).not.toBe(lessons())
  const beta = (value: string) => lessons(['OpenAI-Beta', value])
  expect(beta('responses_websockets=2026-02-06')).toBe(lessons())
  expect(beta('responses_websockets=2026-02-06, other=v1')).toBe(beta('other=v1'))
  expect(beta('other=v1,responses_websockets=2026-02-06')).toBe(beta('other=v1'))
  expect(beta('other=v1')).not.toBe(lessons())
})

/** A provider that rejects requests over HTTP if their text has a defect, and a proxy that has learnt from one. */
async function afterRejection(defect: RegExp, message: string, request: object) {
  const bodies: string[] = []
  const { url: to, peers } = await webSockets(undefined, async (incoming, response) => {
    const body = await text(incoming)
    bodies.push(body)
    const isRejected = defect.test(body)
    response.writeHead(isRejected ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRejected ? { error: { message } } : { id: 'resp_1', output: [] }))
  })
  const { url, port, errors } = await serve({ to })
  const init = { method: 'POST', headers: { ...account, 'content-type': 'application/json' } }
  const { status } = await fetch(`${url}${path}`, { ...init, body: JSON.stringify({ model: 'gpt-5.5', ...request }) })
  expect([status, bodies.map(body => defect.test(body)), errors]).toEqual([200, [true, false], []])
  const send = async (...messages: readonly string[]): Promise<string[]> => {
    const beta = 'OpenAI-Beta: responses_websockets=2026-02-06'
    const { peer } = await openSocket(port, path, [beta, `authorization: ${account.authorization}`])
    for (const message of messages) peer.socket.write(frame(1, message, { mask: 'abcd' }))
    await until(() => peers.at(-1)?.messages.length === messages.length)
    return peers.at(-1)?.messages ?? []
  }
  return { send }
}

const account = { authorization: 'Bearer sk-test' }

test('[PX51] a message is repaired by what requests over HTTP taught', async () => {
  const message = "Unsupported parameter: 'temperature' is not supported with this model."
  const request = { stream: true, temperature: 0.5, input: [said('Go')] }
  const { send } = await afterRejection(/"temperature"/, message, request)
  const { stream: _, ...rest } = request
  const sent = await send(create(request), create(rest), create({ ...request, top_p: 0.5 }))
  expect(sent.map(sent => 'temperature' in JSON.parse(sent))).toEqual([false, false, true])
})

test('[PX51] a tool name that was rejected over HTTP stays in messages, because answers keep it too', async () => {
  const message =
    "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
  const tools = [{ type: 'function', name: 'files.read', parameters: { type: 'object', properties: {} } }]
  const request = { stream: true, tools, input: [said('Go')] }
  const { send } = await afterRejection(/files\.read/, message, request)
  expect(await send(create(request))).toEqual([create(request)])
})

test('[PX51] a long message is repaired too, and messages keep their order', async () => {
  const { url: to, peers } = await webSockets()
  const { port, reports, errors } = await serve({ to })
  const { peer } = await openSocket(port, path)
  const long = create({ input: [said('word '.repeat(200_000)), call, said('Next')] })
  peer.socket.write(Buffer.concat([frame(1, long, { mask: 'abcd' }), frame(1, '{"type":"after"}', { mask: 'wxyz' })]))
  await until(() => peers[0].messages.length === 2)
  expect(errors).toEqual([])
  expect(JSON.parse(peers[0].messages[0]).input).toHaveLength(4)
  expect(peers[0].messages[1]).toBe('{"type":"after"}')
  expect(reports).toHaveLength(1)
})

test('[PX52] everything else passes byte for byte, in both directions, however it is split', async () => {
  const { url: to, peers } = await webSockets()
  const { port, reports, errors } = await serve({ to })
  const mask = 'k\u0001\u00ffz'
  const healthy = create({ input: [said('Go'), call, output] })
  const broken = create({ input: [said('Go'), call, said('Next')] })
  const sent = Buffer.concat([
    frame(1, healthy, { mask }),
    frame(1, healthy.slice(0, 9), { mask, isLast: false }),
    frame(9, 'ping', { mask }),
    frame(0, healthy.slice(9), { mask: 'efgh' }),
    frame(1, `{"type":"response.cancel","input":${JSON.stringify([said('Go'), call, said('Next')])}}`, { mask }),
    frame(1, 'not JSON', { mask }),
    frame(2, Buffer.from(broken), { mask, isLast: false }),
    frame(0, Buffer.alloc(70_000, 7), { mask }),
    frame(1, '', { mask }),
    frame(1, Buffer.from([0xff, 0xfe]), { mask }),
    frame(8, Buffer.from([3, 232]), { mask }),
  ])
  const { peer } = await openSocket(port, path)
  for (let at = 0; at < sent.length; at += at < 900 ? 1 : 4_000)
    peer.socket.write(sent.subarray(at, at + (at < 900 ? 1 : 4_000)))
  await until(() => peers[0].bytes.length === sent.length)
  // A control frame may overtake the frames of a message that is not complete.
  const ping = frame(9, 'ping', { mask })
  const without = (bytes: Buffer): string => bytes.toString('latin1').replace(ping.toString('latin1'), '')
  expect(without(peers[0].bytes)).toBe(without(sent))
  const back = Buffer.concat([frame(1, 'word '.repeat(30_000)), frame(10, 'x'), Buffer.from([1, 2, 3])])
  peers[0].socket.write(back)
  await until(() => peer.bytes.length === back.length)
  expect(peer.bytes.equals(back)).toBe(true)
  expect([reports, errors]).toEqual([[], []])
})

test('[PX52] other paths are not read, and keep their extensions; a path with histories offers none', async () => {
  const { url: to, peers } = await webSockets()
  const { port, reports } = await serve({ to })
  const extensions = 'Sec-WebSocket-Extensions: permessage-deflate'
  for (const place of ['/v1/realtime?model=x', path]) {
    const { peer, answer } = await openSocket(port, place, [extensions, 'x-mine: 1'])
    expect(answer).toMatch(/^HTTP\/1\.1 101 /)
    expect(answer).toMatch(/\r\nX-Own: yes\r\n/)
    peer.socket.write(frame(1, create({ input: [said('Go'), call, said('Next')] }), { mask: 'abcd' }))
  }
  await until(() => peers[1]?.messages.length === 1)
  expect(peers.map(({ request }) => request?.headers['sec-websocket-extensions'])).toEqual([
    'permessage-deflate',
    undefined,
  ])
  expect(peers.map(({ request }) => [request?.url, request?.headers['x-mine']])).toEqual([
    ['/v1/realtime?model=x', '1'],
    [path, '1'],
  ])
  expect(JSON.parse(peers[0].messages[0]).input).toHaveLength(3)
  expect(reports).toHaveLength(1)
})

test('[PX52] frames that break the protocol pass as they are, with one warning', async () => {
  const { url: to, peers } = await webSockets()
  const { port, errors, reports } = await serve({ to })
  const broken = create({ input: [said('Go'), call, said('Next')] })
  for (const odd of [
    frame(1, broken),
    frame(1, broken, { mask: 'abcd', bits: 0x40 }),
    frame(0, broken, { mask: 'abcd' }),
    Buffer.concat([frame(1, broken, { mask: 'abcd', isLast: false }), frame(1, broken, { mask: 'abcd' })]),
  ]) {
    const { peer } = await openSocket(port, path)
    peer.socket.write(odd)
    const at = peers.length - 1
    await until(() => peers[at].bytes.length === odd.length)
    expect(peers[at].bytes.equals(odd)).toBe(true)
  }
  expect(errors).toHaveLength(1)
  expect(reports).toEqual([])
})

test('[PX52] with dryRun messages are reported and not changed', async () => {
  const { url: to, peers } = await webSockets()
  const { port, reports } = await serve({ to, dryRun: true, maxBytes: 2_000 })
  const { peer } = await openSocket(port, path)
  const sent = [create({ input: [said('Go'), call, said('Next')] }), create({ input: [said('long '.repeat(1_000))] })]
  for (const text of sent) peer.socket.write(frame(1, text, { mask: 'abcd' }))
  await until(() => peers[0].messages.length === 2)
  expect(peers[0].messages).toEqual(sent)
  expect(reports).toMatchObject([{ dryRun: true }])
})

test.each([
  ['a page of another origin', 'origin: https://evil.example.com', 403],
  ['a sandboxed page', 'origin: null', 403],
  ['a name that can be a public domain', 'host: rebound.example.com', 421],
])('[PX53] a WebSocket of %s is refused, and the provider is not asked', async (_, header, status) => {
  const { url: to, peers } = await webSockets()
  const { port, proxyErrors } = await serve({ to })
  const host = header.startsWith('host') ? header : `host: localhost\r\n${header}`
  const head = `GET ${path} HTTP/1.1\r\n${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`
  expect(await talk(port, head)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*"antiphon_proxy"`, 's'))
  expect(peers).toEqual([])
  expect(proxyErrors).toHaveLength(1)
})

test('[PX53] a page of an allowed origin and one of this machine may open a WebSocket', async () => {
  const { url: to } = await webSockets()
  const { port } = await serve({ to, allowOrigins: ['https://app.example.com'] })
  for (const origin of ['https://app.example.com', 'http://localhost:3000'])
    expect((await openSocket(port, path, [`origin: ${origin}`])).answer).toMatch(/^HTTP\/1\.1 101 /)
})

test('[PX53] an answer other than 101 is passed on, and an upstream that is down is 502', async () => {
  const { url: to } = await webSockets()
  const { port } = await serve({ to: { a: to, b: 'http://127.0.0.1:1' } })
  const head = (place: string) =>
    `GET ${place} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`
  expect(await talk(port, head('/a/refuse'))).toMatch(
    /^HTTP\/1\.1 401 Unauthorized\r\nx-own: yes\r\n.*\r\n\r\nno key$/s,
  )
  expect(await talk(port, head('/b/v1/responses'))).toMatch(/^HTTP\/1\.1 502 .*"upstream-down"/s)
  expect(await talk(port, head('/c/v1'))).toMatch(/^HTTP\/1\.1 404 .*"no-route"/s)
  const plain = await upstream((_, response) => response.writeHead(426).end('use HTTP'))
  const other = await serve({ to: plain.url })
  expect(await talk(other.port, head(path))).toMatch(/^HTTP\/1\.1 426 .*use HTTP/s)
})

test('[PX54] a message beyond the limit ends the connection with the reason, and no part of it passes', async () => {
  const { url: to, peers } = await webSockets()
  const { port, proxyErrors } = await serve({ to, maxBytes: 1_000 })
  for (const first of [
    frame(1, 'x'.repeat(2_000), { mask: 'abcd' }),
    frame(1, 'x'.repeat(900), { mask: 'abcd', isLast: false }),
  ]) {
    const { peer } = await openSocket(port, path)
    peer.socket.write(Buffer.concat([first, frame(0, 'x'.repeat(900), { mask: 'abcd' })]))
    await until(() => peer.isClosed || peer.bytes.length > 4)
    expect(peer.bytes.subarray(2, 4).readUInt16BE()).toBe(1009)
    expect(peer.bytes.subarray(4).toString()).toContain('--body-limit')
    peer.socket.end()
    await until(() => peers.at(-1)?.isClosed === true)
    expect(peers.at(-1)?.bytes).toHaveLength(0)
  }
  expect(proxyErrors.map(({ kind }) => kind)).toEqual(['too-long', 'too-long'])
})

test('[PX54] when one side goes, the other one goes too, and all go with the proxy', async () => {
  const { url: to, peers } = await webSockets()
  const { port, url, proxy } = await serve({ to })
  for (const place of [path, '/v1/realtime']) {
    const { peer: leaving } = await openSocket(port, place)
    leaving.socket.destroy()
    await until(() => peers.at(-1)?.isClosed === true)
    const { peer: left } = await openSocket(port, place)
    peers.at(-1)?.socket.destroy()
    await until(() => left.isClosed)
  }
  while ((await metric(url, 'in_flight')) > 0) await new Promise(resolve => setTimeout(resolve, 5))
  const open = await Promise.all([openSocket(port, path), openSocket(port, '/v1/realtime')])
  expect(await metric(url, 'in_flight')).toBe(2)
  await proxy.close()
  await until(() => [...open.map(({ peer }) => peer), ...peers].every(({ isClosed }) => isClosed))
})

test.each([path, '/v1/realtime'])('[PX54] a side that does not read stops the other one: %s', async place => {
  const { url: to, peers } = await webSockets(({ socket }) => socket.pause())
  const { port } = await serve({ to })
  const { peer } = await openSocket(port, place)
  const chunk = frame(2, Buffer.alloc(1024 * 1024, 1), { mask: 'abcd' })
  for (let count = 0; count < 64; count++) peer.socket.write(chunk)
  let last = -1
  while (last !== peer.socket.writableLength) {
    last = peer.socket.writableLength
    await new Promise(resolve => setTimeout(resolve, 300))
  }
  expect(last).toBeGreaterThan(32 * chunk.length)
  let received = 0
  peers[0].socket.removeAllListeners('data').on('data', bytes => {
    received += bytes.length
  })
  peers[0].socket.resume()
  await until(() => received === 64 * chunk.length)
})

test('[PX54] a WebSocket after a request that is not answered yet ends the connection', async () => {
  const { url: to } = await upstream(() => {})
  const { port, proxyErrors } = await serve({ to })
  const head = `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`
  expect(await talk(port, `GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n${head}`)).toBe('')
  expect(proxyErrors).toHaveLength(1)
})

test('[PX52] the type of an event is found without parsing it', () => {
  expect(typeIn('{"input":[{"type":"x"}], "type" : "response.create"}')).toBe('response.create')
  expect(typeIn('{"type":"a","type":"b"}')).toBe('b')
  for (const odd of [
    '',
    '[1]',
    '{"a',
    '{"type"',
    '{"type":"a',
    '{"a":1 "type":"b"}',
    'x{"type":"a"}',
    '{"a":{"type":"b"}}',
  ])
    expect(typeIn(odd)).toBeUndefined()
})

test('[PX18] while requests are recorded, a WebSocket with histories is rejected with 426, and others pass', async () => {
  const { url: to, peers } = await webSockets()
  const { port, proxyErrors } = await serve({ to, tape: createTape({ write() {} }) })
  const { answer } = await openSocket(port, path)
  expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  expect(proxyErrors).toMatchObject([{ kind: 'no-upgrade', hint: expect.stringContaining('--record') }])
  expect((await openSocket(port, '/v1/realtime')).answer).toMatch(/^HTTP\/1\.1 101 /)
  expect(peers).toHaveLength(1)
})

test('[PX18] which versions of Node can choose', () => {
  expect(['20.19.0', '22.20.1', '23.11.0', '24.8.0'].map(version => canChooseUpgrades(version))).not.toContain(true)
  expect(['22.21.0', '24.9.0', '24.21.0', '25.0.0'].map(version => canChooseUpgrades(version))).not.toContain(false)
})

test('[PX54] a rejected WebSocket gives its connection back, also if its client had more to say', async () => {
  const { url: to } = await webSockets()
  const { url, port } = await serve({ to, maxConnections: 4 })
  const head = `GET ${path}?refuse HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n`
  const own = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  for (let tries = 0; tries < 12; tries++) {
    const answer = await talk(port, `${head}${own}and more`)
    expect(answer).toMatch(/^HTTP\/1\.1 (401|503) /)
  }
  let status = 0
  for (const end = Date.now() + 20_000; status !== 200 && Date.now() < end; )
    status = await fetch(`${url}/healthz`).then(response => response.status)
  expect(status).toBe(200)
})
