import { Ollama } from 'ollama'
import { describe, expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { createTape, readTape, type TapeEntry } from '../../../src/observe/tape/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { post } from '../fetch/requests.ts'
import { serve, upstream } from './serving.ts'

const chat = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
}

/** What clients that were written for Chat Completions send. */
const foreign = [
  { role: 'user', content: 'Weather in Rome?' },
  chat,
  { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'sunny' }] },
]

const interrupted = [
  { role: 'user', content: 'Weather in Rome?' },
  { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: { city: 'Rome' } } }] },
  { role: 'user', content: 'Are you there?' },
]

const placeholder = {
  role: 'tool',
  tool_name: 'weather',
  content: '[no result] No result of this call was recorded. Whether it ran is not known.',
}

describe.each([true, false])("Ollama's own client, streaming %s", stream => {
  const ask = async (host: string, messages: unknown, fetch = globalThis.fetch): Promise<string> => {
    const request = { model: 'qwen3:8b', messages: messages as [] }
    const client = new Ollama({ host, fetch })
    if (!stream) return (await client.chat({ ...request, stream: false })).message.content
    let text = ''
    for await (const { message } of await client.chat({ ...request, stream: true })) text += message.content
    return text
  }

  test('[H20] is answered through healFetch and through the proxy, where it is rejected without', async () => {
    await using strict = await startStrict({ script: ['Sunny.', 'Sunny.'] })
    const { url, reports } = await serve({ to: strict.url })
    await expect(ask(strict.url, foreign)).rejects.toThrow('ChatRequest.messages.tool_calls.function.arguments')
    expect(await ask(strict.url, foreign, healFetch())).toBe('Sunny.')
    expect(await ask(url, foreign)).toBe('Sunny.')
    expect(reports).toMatchObject([{ changed: true, format: 'ollama', dialect: 'ollama' }])
    expect(strict.requests.map(({ verdict }) => verdict === 'accepted')).toEqual([false, true, true])
  })

  test('[H20] gets a placeholder for a lost result, with no id in it', async () => {
    await using strict = await startStrict()
    const { url } = await serve({ to: strict.url })
    await ask(url, interrupted)
    const [, , sent] = (strict.requests[0].body as { messages: unknown[] }).messages
    expect(sent).toEqual(placeholder)
  })
})

test('[H20] a healthy request arrives byte for byte, and a stream of lines is on the tape as a reply', async () => {
  const lines: string[] = []
  const tape = createTape({ write: line => lines.push(line), redact: false })
  await using strict = await startStrict({ script: [{ text: 'It is sunny in Rome.', thinking: 'Hm.' }] })
  const { url } = await serve({ to: strict.url, tape })
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Weather?' }] }, undefined, 1)
  const response = await fetch(`${url}/api/chat`, post(body))
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const answer = (await response.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(answer.at(-1)).toMatchObject({ done: true, done_reason: 'stop', eval_count: expect.any(Number) })
  expect(answer.map(({ message }) => message.content).join('')).toBe('It is sunny in Rome.')
  const entries = (): readonly TapeEntry[] => readTape(lines.join('')).entries
  await expect
    .poll(() => entries().at(-1))
    .toMatchObject({
      kind: 'response',
      reply: { finish: 'stop', messages: [{ role: 'assistant', content: 'It is sunny in Rome.', thinking: 'Hm.' }] },
    })
})

test("[H20] what a model's own template rejects is repaired using its text, and retried once", async () => {
  await using strict = await startStrict({ script: ['Hello.'] })
  const { url } = await serve({ to: strict.url })
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Be kind.' },
  ]
  const body = JSON.stringify({ model: 'hf.co/unsloth/Qwen3.5-9B-GGUF', stream: false, messages })
  const direct = await fetch(`${strict.url}/api/chat`, post(body))
  expect(direct.status).toBe(500)
  expect(await direct.json()).toEqual({ error: expect.stringContaining('System message must be at the beginning.') })
  const response = await fetch(`${url}/api/chat`, post(body))
  expect(response.status).toBe(200)
  expect(response.headers.get('x-antiphon-retry')).toBe('tp-system-first')
  expect((strict.requests[2].body as { messages: unknown[] }).messages).toEqual([messages[1], messages[0]])
})

test('[H20] an error in the first line of a stream counts as a rejection', async () => {
  let count = 0
  const { url: to } = await upstream(async (request, response) => {
    for await (const _ of request);
    const isFirst = count++ === 0
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(
      isFirst
        ? '{"error":"Jinja Exception: System message must be at the beginning."}\n'
        : '{"model":"m","message":{"role":"assistant","content":"Hello."},"done":true}\n',
    )
  })
  const { url } = await serve({ to })
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Be kind.' },
  ]
  const response = await fetch(`${url}/api/chat`, post(JSON.stringify({ model: 'm', messages })))
  expect(await response.text()).toContain('Hello.')
  expect(count).toBe(2)
})

test("[H20] another application's /api/chat gets what was sent, unless it is a broken history of Ollama's", async () => {
  const seen: string[] = []
  const { url: to } = await upstream(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push(text)
    response.end('{}')
  })
  const { url } = await serve({ to })
  const bodies = [
    { id: 'chat_1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: '' }] }] },
    { messages: [{ id: 'a', role: 'assistant', toolCalls: [{ id: 'c', type: 'function', function: {} }] }] },
    { message: 'Hi' },
    { messages: 'Hi' },
  ].map(body => JSON.stringify(body))
  for (const body of bodies) await fetch(`${url}/api/chat`, post(body))
  expect(seen).toEqual(bodies)
})
