import { GoogleGenAI, type Interactions } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { createTape, readTape, type TapeEntry } from '../../../src/observe/tape/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { post } from '../fetch/requests.ts'
import { serve, upstream } from './serving.ts'

const said = (text: string): Interactions.Step => ({ type: 'user_input', content: [{ type: 'text', text }] })
const call: Interactions.Step = { type: 'function_call', id: 'a1', name: 'weather', arguments: { city: 'Rome' } }

/** An interrupted turn of a model that has lost its thoughts. */
const interrupted = [said('Weather in Rome?'), call, said('Are you there?')]

const repaired = [
  said('Weather in Rome?'),
  { type: 'thought', signature: 'skip_thought_signature_validator' },
  call,
  {
    ...{ type: 'function_result', call_id: 'a1', name: 'weather', is_error: true },
    result: '[no result] No result of this call was recorded. Whether it ran is not known.',
  },
  said('Are you there?'),
]

describe.each([true, false])("Google's own client, streaming %s", stream => {
  const ask = async (baseUrl: string, request: Partial<Request>, fetch = globalThis.fetch): Promise<string> => {
    const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl, fetch } })
    const body = { model: 'gemini-3-pro', input: [], ...request }
    if (!stream) return (await client.interactions.create({ ...body, stream: false })).output_text ?? ''
    let text = ''
    for await (const event of await client.interactions.create({ ...body, stream: true }))
      if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text
    return text
  }

  test('[H21] is answered through healFetch and through the proxy, where it is rejected without', async () => {
    await using strict = await startStrict({ script: ['Sunny.', 'Sunny.'] })
    const { url, reports } = await serve({ to: strict.url })
    await expect(ask(strict.url, { input: interrupted })).rejects.toThrow('number of function response parts')
    expect(await ask(strict.url, { input: interrupted }, healFetch())).toBe('Sunny.')
    expect(await ask(url, { input: interrupted })).toBe('Sunny.')
    expect(reports).toMatchObject([{ changed: true, format: 'gemini-interactions', dialect: 'gemini-interactions' }])
    const [, direct, proxied] = strict.requests.map(({ body }) => (body as { input: unknown }).input)
    expect(direct).toEqual(repaired)
    expect(proxied).toEqual(repaired)
  })

  test('[H21] continues a stored interaction unchanged', async () => {
    await using strict = await startStrict({ script: [{ calls: [{ name: 'weather', id: 'a1' }] }, 'Sunny.'] })
    const { url, reports } = await serve({ to: strict.url })
    const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })
    const { id } = await client.interactions.create({ model: 'gemini-3-pro', input: 'Weather?' })
    const input: Interactions.Step[] = [{ type: 'function_result', call_id: 'a1', name: 'weather', result: 'sunny' }]
    expect(await ask(url, { input, previous_interaction_id: id })).toBe('Sunny.')
    expect(reports).toEqual([])
  })

  test('[H21] a rejection that names a field is repaired, and the request is retried once', async () => {
    await using strict = await startStrict({ script: ['Sunny.'] })
    const { url } = await serve({ to: strict.url })
    const result = { type: 'function_result', id: 'r1', call_id: 'a1', name: 'weather', result: 'sunny' }
    const thought: Interactions.Step = { type: 'thought', signature: 'c2lnbmF0dXJl' }
    const input = [said('Weather in Rome?'), thought, call, result as Interactions.Step]
    expect(await ask(url, { input })).toBe('Sunny.')
    expect(strict.requests.map(({ verdict }) => verdict === 'accepted')).toEqual([false, true])
  })
})

type Request = { input: Interactions.Step[]; previous_interaction_id: string }

test('[H21] a healthy request arrives byte for byte, and its stream is on the tape as a reply', async () => {
  const lines: string[] = []
  const tape = createTape({ write: line => lines.push(line), redact: false })
  await using strict = await startStrict({ script: [{ text: 'It is sunny in Rome.', thinking: 'Hm.' }] })
  const { url } = await serve({ to: strict.url, tape })
  const body = JSON.stringify({ model: 'gemini-3-pro', stream: true, input: [said('Weather?')] }, undefined, 1)
  const response = await fetch(`${url}/v1beta/interactions?alt=sse`, post(body))
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  await response.text()
  const entries = (): readonly TapeEntry[] => readTape(lines.join('')).entries
  await expect
    .poll(() => entries().at(-1))
    .toMatchObject({
      kind: 'response',
      reply: {
        finish: 'stop',
        messages: [
          { type: 'thought', signature: expect.any(String), summary: [{ type: 'text', text: 'Hm.' }] },
          { type: 'model_output', content: [{ type: 'text', text: 'It is sunny in Rome.' }] },
        ],
      },
    })
})

test("[H21] another application's /interactions gets what was sent", async () => {
  const seen: string[] = []
  const { url: to } = await upstream(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push(text)
    response.end('{}')
  })
  const { url } = await serve({ to })
  const bodies = [
    { type: 2, id: '1', data: { name: 'ping' } },
    { input: [{ kind: 'click', at: 1 }, null] },
    { input: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    { input: { type: 'text', text: '' } },
  ].map(body => JSON.stringify(body))
  for (const body of bodies) await fetch(`${url}/v1/interactions`, post(body))
  expect(seen).toEqual(bodies)
})
