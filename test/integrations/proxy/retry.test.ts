import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { chatMessages } from '../fetch/clients/openai.ts'
import { failures } from '../fetch/failures.ts'
import { type Answer, startRecorder } from '../fetch/recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from '../fetch/requests.ts'
import { metric, serve, tcpUpstream } from './serving.ts'

/** A model whose name says nothing: the first reading is too kind. */
const unknown = JSON.stringify({ model: 'prod', messages: chatMessages(failures.system) })

/** Refuses a history in Mistral’s words. */
const refusal: Answer = {
  status: 400,
  headers: { 'x-request-id': 'first' },
  body: JSON.stringify({ message: "Unexpected role 'user' after role 'tool'" }),
}

test.each([false, true])(
  '[PX19] a rejection is followed by one more request, repaired using it (streaming %s)',
  async stream => {
    await using strict = await startStrict({ provider: 'qwen-template' })
    const { url, reports } = await serve({ to: strict.url })
    const body = unknown.replace('{', `{"stream":${stream},`)
    expect((await fetch(strict.url + chatPath, post(body))).status).toBe(400)
    const response = await fetch(url + chatPath, post(body))
    expect(response.status).toBe(200)
    expect((await response.text()).includes('data: ')).toBe(stream)
    expect(response.headers.get('x-antiphon-retry')).toBe('tp-system-first')
    expect(response.headers.get('x-antiphon-repairs')).toBe('system-not-first=1')
    expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ status: 400 }, { status: 400 }, 'accepted'])
    expect(reports).toMatchObject([{ dialect: 'qwen-template', refusal: { status: 400, fact: 'tp-system-first' } }])
    expect(await metric(url, 'rejections_total', { fact: 'tp-system-first' })).toBe(1)
    expect(await metric(url, 'retries_total')).toBe(1)
  },
)

describe('no retry', () => {
  const long = JSON.stringify({ message: `Unexpected role 'user' after role 'tool' ${'.'.repeat(300_000)}` })
  const cases: Record<string, [body: string, answer: Answer, options?: object]> = {
    'after another error': [brokenBody, { status: 400, body: '{"error":{"message":"no such model"}}' }],
    'after a refusal with another status': [unknown, { ...refusal, status: 429 }],
    'if a stricter reading changes nothing': [healthyBody, refusal],
    'after an answer that is too long for a refusal': [unknown, { ...refusal, body: long }],
    'in a dry run': [unknown, refusal, { dryRun: true }],
    'to a path that takes no history': ['x', refusal],
  }

  test.each(Object.entries(cases))(
    '[PX19] %s, and the answer is the provider’s own',
    async (_, [body, answer, options]) => {
      await using server = await startRecorder(answer)
      const { url } = await serve({ to: server.url, ...options })
      const response = await fetch(url + (body === 'x' ? '/v1/files' : chatPath), post(body))
      expect(response.status).toBe(answer.status)
      expect((await response.text()) === answer.body).toBe(true)
      expect(server.requests.length).toBe(1)
      expect(await metric(url, 'retries_total')).toBe(0)
    },
  )
})

const afterResult = JSON.stringify({
  model: 'prod',
  messages: chatMessages([...failures.system.slice(2), { who: 'user', text: 'And on Saturday?' }]),
})

test('[PX19] never a third request: the second answer counts, whatever it is', async () => {
  await using server = await startRecorder(refusal, { ...refusal, headers: { 'x-request-id': 'second' } })
  const { url } = await serve({ to: server.url })
  const response = await fetch(url + chatPath, post(afterResult))
  expect([response.status, response.headers.get('x-request-id')]).toEqual([400, 'second'])
  expect(server.requests.map(({ body }) => messagesOf(body).length)).toEqual([4, 5])
})

test('[PX19] a compressed rejection is understood, and passed on unchanged', async () => {
  const packed = gzipSync(refusal.body ?? '')
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`
  let asked = 0
  const { url: to } = await tcpUpstream(socket =>
    socket.on('data', () => {
      asked++
      socket.write(Buffer.concat([Buffer.from(head), packed]))
    }),
  )
  const { url } = await serve({ to })
  const response = await fetch(url + chatPath, post(afterResult))
  expect([response.status, await response.text()]).toEqual([400, refusal.body])
  expect(asked).toBe(2)
})

test('[PX19] if there is no second answer, the first rejection counts', async () => {
  await using server = await startRecorder(refusal, 'reset')
  const { url, proxyErrors } = await serve({ to: server.url })
  const response = await fetch(url + chatPath, post(afterResult))
  expect([response.status, await response.text()]).toEqual([400, refusal.body])
  expect(response.headers.get('x-request-id')).toBe('first')
  expect(server.requests.length).toBe(2)
  expect(proxyErrors).toEqual([])
})
