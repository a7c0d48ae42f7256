import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { readRejection } from '../../../src/heal/rejections/read-rejection.ts'
import { rejectionTable } from '../../../src/heal/rejections/table/index.ts'
import { type FetchReport, type HealFetchOptions, healFetch } from '../../../src/integrations/fetch/index.ts'
import { listFacts, startStrict } from '../../../src/strict/index.ts'
import { anthropicMessages } from './clients/anthropic.ts'
import { chatMessages } from './clients/openai.ts'
import { failures, type Said } from './failures.ts'
import { type Answer, startRecorder } from './recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from './requests.ts'

const afterResult: Said[] = [...failures.system.slice(2), { who: 'user', text: 'And on Saturday?' }]
const prefill = [
  { role: 'user', content: 'Count.' },
  { role: 'assistant', content: 'One, two' },
]
const waiting: Said[] = failures.unanswered.slice(0, 2)

interface Case {
  provider: string
  path: string
  body: object
  options?: HealFetchOptions
  fact: string
  dialect: string
}

/** Names of models that say nothing, and options that are wrong: the first reading is too kind. */
const cases: Case[] = [
  {
    ...{ provider: 'qwen-template', path: chatPath, fact: 'tp-system-first', dialect: 'qwen-template' },
    body: { model: 'prod', messages: chatMessages(failures.system) },
  },
  {
    ...{ provider: 'gemma-template', path: chatPath, fact: 'tp-alt-gemma', dialect: 'gemma-template' },
    body: {
      model: 'prod',
      messages: chatMessages([
        { who: 'user', text: 'Hi.' },
        { who: 'user', text: 'Well?' },
      ]),
    },
  },
  {
    ...{ provider: 'mistral', path: chatPath, fact: 'mi-order', dialect: 'mistral' },
    body: { model: 'prod', messages: chatMessages(afterResult) },
  },
  {
    ...{ provider: 'minimax', path: '/v1/messages', fact: 'mm-not-follow', dialect: 'minimax' },
    body: {
      ...{ model: 'prod', max_tokens: 9, tools: [{ name: 'run', input_schema: { type: 'object' } }] },
      messages: [
        ...anthropicMessages(failures.crash).slice(0, 2),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_02', content: 'charged' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    },
  },
  {
    ...{ provider: 'anthropic', path: '/v1/messages', fact: 'an-no-prefill', dialect: 'anthropic' },
    body: { model: 'claude-opus-4-6', max_tokens: 9, messages: prefill },
    options: { model: 'prod' },
  },
  {
    ...{ provider: 'openai', path: chatPath, fact: 'oc-trailing-call', dialect: 'openai' },
    body: { model: 'gpt-5', messages: chatMessages(waiting) },
    options: { pending: 'keep' },
  },
]

describe('a rejection with a known message', () => {
  test.each(cases)(
    '[H6] $provider, $fact: the history is repaired using the rejection, and sent once more',
    async row => {
      const { provider, path, body, options = {}, fact, dialect } = row
      await using strict = await startStrict({ provider })
      const reports: FetchReport[] = []
      const heal = healFetch({ ...options, onRepair: report => reports.push(report), onError: fail })
      const response = await heal(strict.url + path, post(JSON.stringify(body)))
      expect(await response.json()).not.toHaveProperty('error')
      expect(response.status).toBe(200)
      expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ fact }, 'accepted'])
      expect(reports.at(-1)).toMatchObject({ dialect, refusal: { status: 400 } })
    },
  )

  test('[H6] a result whose call the provider does not have is removed', async () => {
    await using strict = await startStrict({ script: ['Hello.', 'Goodbye.'] })
    const url = `${strict.url}/v1/responses`
    const first = await fetch(url, post(JSON.stringify({ model: 'gpt-5', input: 'Hi' })))
    const { id } = (await first.json()) as { id: string }
    const input = [
      { type: 'function_call_output', call_id: 'call_x', output: 'late' },
      { role: 'user', content: 'Well?' },
    ]
    const response = await healFetch()(url, post(JSON.stringify({ model: 'gpt-5', previous_response_id: id, input })))
    expect(response.status).toBe(200)
    expect(strict.requests.slice(1).map(({ body }) => (body as { input: unknown[] }).input.length)).toEqual([2, 1])
  })

  test.each([true, false])('[H6] a client of OpenAI gets its answer, streaming %s', async stream => {
    await using strict = await startStrict({ provider: 'qwen-template', script: ['It is sunny.'] })
    const client = new OpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any', maxRetries: 0, fetch: healFetch() })
    const request = { model: 'prod', messages: chatMessages(failures.system) }
    const completion = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request)
    expect(completion.choices[0].message.content).toBe('It is sunny.')
    expect(strict.requests.length).toBe(2)
  })

  test('[H6] a relay that quotes a rejection is understood', async () => {
    const raw = JSON.stringify({ object: 'error', message: "Unexpected role 'user' after role 'tool'" })
    const body = JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw } } })
    await using server = await startRecorder({ status: 400, body }, {})
    const sent = JSON.stringify({ model: 'prod', messages: chatMessages(afterResult) })
    expect((await healFetch()(server.url + chatPath, post(sent))).status).toBe(200)
    expect(server.requests.map(({ body }) => messagesOf(body).length)).toEqual([4, 5])
  })

  test.each([422, 500, 404])('[H6] also with the status %i', async status => {
    await using server = await startRecorder({ status, body: systemRefusal }, {})
    expect((await healFetch()(server.url + chatPath, post(systemBody))).status).toBe(200)
    expect(server.requests.length).toBe(2)
  })

  test.each(['string', 'bytes', 'stream', 'request'])('[H6] a body given as %s can be sent twice', async form => {
    await using server = await startRecorder({ status: 400, body: systemRefusal }, {})
    const url = server.url + chatPath
    const inits: Record<string, Parameters<typeof fetch>> = {
      string: [url, post(systemBody)],
      bytes: [url, post(Buffer.from(systemBody))],
      stream: [url, post(new Blob([systemBody]).stream(), { duplex: 'half' })],
      request: [new Request(url, post(systemBody))],
    }
    expect((await healFetch()(...inits[form])).status).toBe(200)
    expect(server.requests.map(({ body }) => (messagesOf(body)[0] as { role: string }).role)).toEqual([
      'user',
      'system',
    ])
  })
})

const systemBody = JSON.stringify({ model: 'prod', messages: chatMessages(failures.system) })
const systemRefusal = JSON.stringify({ error: { message: 'System message must be at the beginning.' } })

const missingRefusal = JSON.stringify({
  error: {
    message: "An assistant message with 'tool_calls' must be followed by tool messages responding to each one.",
  },
})

describe('no retry', () => {
  const quiet: [string, Answer, string][] = [
    ['another error', { status: 400, body: '{"error":{"message":"Unknown parameter"}}' }, systemBody],
    ['a limit', { status: 429, body: systemRefusal }, systemBody],
    ['a key that is refused', { status: 401, body: systemRefusal }, systemBody],
    ['an answer that speaks of it', { status: 200, body: systemRefusal }, systemBody],
    ['a refusal that a stricter reading does not change', { status: 400, body: systemRefusal }, healthyBody],
    ['a refusal of what was healed for it already', { status: 400, body: missingRefusal }, brokenBody],
    ['an empty refusal', { status: 400, body: '' }, systemBody],
    [
      'an answer that is too long for a refusal',
      { status: 400, body: systemRefusal + ' '.repeat(300_000) },
      systemBody,
    ],
    ['garbage', { status: 400, body: '\u0000<html>' }, systemBody],
  ]

  test.each(quiet)('[H7] after %s', async (_, answer, body) => {
    await using server = await startRecorder({ ...answer, headers: { 'x-request-id': 'req_1' } })
    const response = await healFetch()(server.url + chatPath, post(body))
    expect(server.requests.length).toBe(1)
    expect(response.status).toBe(answer.status)
    expect(response.headers.get('x-request-id')).toBe('req_1')
    expect(response.url).toBe(server.url + chatPath)
    expect(response.bodyUsed).toBe(false)
    expect(await response.text()).toBe(answer.body)
  })

  test('[H7] after the second one: its rejection is the answer', async () => {
    const refused = { status: 400, body: systemRefusal }
    await using server = await startRecorder(
      { ...refused, headers: { 'x-try': '1' } },
      { ...refused, headers: { 'x-try': '2' } },
    )
    const response = await healFetch()(server.url + chatPath, post(systemBody))
    expect(server.requests.length).toBe(2)
    expect(response.headers.get('x-try')).toBe('2')
    expect(await response.text()).toBe(systemRefusal)
  })

  test('[H7] and if the second one gets no answer, the first rejection is the answer', async () => {
    await using server = await startRecorder({ status: 400, body: systemRefusal }, 'reset')
    const response = await healFetch()(server.url + chatPath, post(systemBody))
    expect([response.status, await response.text()]).toEqual([400, systemRefusal])
  })

  test('[H7] unless a signal has aborted it: then that is the answer', async () => {
    const controller = new AbortController()
    let requests = 0
    const send: typeof fetch = async (_, init) => {
      if (requests++ === 0) return new Response(systemRefusal, { status: 400 })
      controller.abort(new Error('never mind'))
      throw init?.signal?.reason
    }
    const asking = healFetch({ fetch: send })(`http://any${chatPath}`, post(systemBody, { signal: controller.signal }))
    await expect(asking).rejects.toThrow('never mind')
  })

  test('[H7] a repair that the caller does not allow is not made then either', async () => {
    await using server = await startRecorder({ status: 400, body: systemRefusal })
    const response = await healFetch({ allow: [] })(server.url + chatPath, post(systemBody))
    expect([server.requests.length, response.status]).toEqual([1, 400])
    await healFetch({ allow: [] })(server.url + chatPath, post(brokenBody))
    expect(server.requests.at(-1)?.body.toString()).toBe(brokenBody)
  })
})

test('[H6] every known rejection of a history belongs to a fact, and is recognised by the message of the fact', () => {
  const facts = new Map(listFacts().map(fact => [fact.id, fact]))
  const known = rejectionTable.filter(({ history }) => history !== undefined)
  expect(known.length).toBeGreaterThan(100)
  for (const { id, words: pattern, history: { reader, format } = {} } of known) {
    // In other formats the text is about something else, and is named by that.
    const fact =
      format === undefined ? facts.get(id) : [...facts.values()].find(({ words }) => pattern.test(words ?? ''))
    const words = fact?.words
    expect(words, id).toBeTypeOf('string')
    const prefix = reader === 'qwen' ? '<400> InternalError.Algo.InvalidParameter: ' : ''
    const message = prefix + words?.replaceAll(/\{[A-Z]\}/g, '3').replaceAll(/\{\w+\}/g, 'x1')
    expect(readRejection(400, JSON.stringify({ error: { message } }))?.id, message).toBe(id)
  }
})

function fail(error: unknown): never {
  throw error
}
