import { describe, expect, test } from 'vitest'
import { healRejected } from '../../src/heal/rejections/heal-rejected.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { pairs } from './judge.mjs'
import { ownCases } from './own-cases.ts'
import { bodyOf, objections, pathOf, requestOf, sharedCases } from './shared-cases.ts'
import { variantCases } from './variant-cases.ts'
import { wordingCases } from './wording-cases.ts'

describe('rows of the table that no case from the field covers', () => {
  test.each(ownCases)('[RJ12] $class, $id', rejected => {
    const rejection = readRejection(rejected.refusal.status, rejected.refusal.body)
    if (!rejection) throw new Error('it is not read')
    const request = requestOf(rejected)
    expect(objections(request, { ...rejected, keep: [] })).not.toEqual([])
    const { body } = healRejected(request, rejection, { format: rejected.format as 'anthropic' })
    expect(objections(body, rejected)).toEqual([])
  })

  test.each([...variantCases, ...wordingCases])('[RJ16] $class, $id', rejected => {
    const rejection = readRejection(rejected.refusal.status, rejected.refusal.body)
    if (!rejection) throw new Error('it is not read')
    const request = requestOf(rejected)
    expect(objections(request, { ...rejected, keep: [] })).not.toEqual([])
    const { body } = healRejected(request, rejection, { format: rejected.format as 'anthropic' })
    expect(objections(body, rejected)).toEqual([])
  })

  const answer = (message: string, request: object, format: 'openai-chat' | 'openai-responses') => {
    const rejection = readRejection(400, { error: { message } })
    if (!rejection) throw new Error('it is not read')
    return healRejected(request, rejection, { format }).body
  }

  test('[RJ16] a parameter that is too long is cut, and no text of the history', () => {
    const message =
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 90 instead."
    const request = {
      model: 'm',
      prompt_cache_key: 'k'.repeat(90),
      messages: [{ role: 'user', content: 'w '.repeat(99) }],
    }
    const { prompt_cache_key: key, ...rest } = answer(message, request, 'openai-chat') as typeof request
    expect(key.length).toBeLessThanOrEqual(64)
    expect(rest).toEqual({ model: 'm', messages: request.messages })
    const { prompt_cache_key: _, ...without } = request
    expect(answer(message, without, 'openai-chat')).toBe(without)
    const unnamed = message.replace("Invalid 'prompt_cache_key': ", '')
    expect(answer(unnamed, request, 'openai-chat')).toBe(request)
  })

  test.each([
    ['anthropic', 'messages.0.timestamp: Extra inputs are not permitted'],
    ['openai-chat', "Unknown parameter: 'messages[0].timestamp'."],
  ] as const)('[RJ16] a field that no message can have is removed from those of all roles: %s', (format, message) => {
    const rejection = readRejection(400, { error: { message } })
    if (!rejection) throw new Error('it is not read')
    const messages = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
    ]
    const stored = messages.map((message, n) => ({ ...message, timestamp: n }))
    expect(healRejected({ model: 'm', messages: stored }, rejection, { format }).body).toEqual({ model: 'm', messages })
  })

  test('[RJ16] a Gemini interaction that is too long loses old results, and no turn', () => {
    const message = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'
    const rejection = readRejection(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
    if (!rejection) throw new Error('it is not read')
    const user = (text: string) => ({ type: 'user_input', content: [{ type: 'text', text }] })
    const call = { type: 'function_call', id: 'a', name: 'look', arguments: {} }
    const result = { type: 'function_result', call_id: 'a', name: 'look', result: 'far '.repeat(99_999) }
    const said = { type: 'model_output', content: [{ type: 'text', text: 'It is far.' }] }
    const input = [user('How far?'), call, result, said, user('And now?'), said, user('Thanks.')]
    const { body } = healRejected({ model: 'gemini-2.5-pro', input }, rejection, { format: 'gemini-interactions' })
    const healed = (body as { input: typeof input }).input
    expect(healed.with(2, result)).toEqual(input)
    expect(JSON.stringify(healed[2]).length).toBeLessThan(1_000)
  })

  test('[RJ16] an empty result stays empty while other parts are repaired', () => {
    const message = 'Unable to process input image. Unsupported MIME type: image/bmp'
    const rejection = readRejection(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
    if (!rejection) throw new Error('it is not read')
    const image = { type: 'image', mime_type: 'image/bmp', data: 'Qk0=' }
    const result = { type: 'function_result', call_id: 'a', name: 'look', result: [] }
    const call = { type: 'function_call', id: 'a', name: 'look', arguments: {} }
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Look.' }, image] }, call, result]
    const healed = healRejected({ model: 'gemini-2.5-pro', input }, rejection, { format: 'gemini-interactions' })
    expect(healed.changed).toBe(true)
    expect((healed.body as { input: unknown[] }).input[2]).toEqual(result)
  })

  test('[RJ16] reasoning items without a summary get an empty one', () => {
    const user = { role: 'user', content: 'go' }
    const items = [
      { type: 'reasoning', encrypted_content: 'gAAA' },
      { role: 'assistant', content: 'ok' },
    ]
    const request = { model: 'm', input: [user, ...items, user] }
    const healed = answer("Missing required parameter: 'input[1].summary'.", request, 'openai-responses')
    expect(healed).toEqual({ model: 'm', input: [user, { ...items[0], summary: [] }, items[1], user] })
  })

  test('[RJ16] several system messages become one where the provider takes one', () => {
    const [user, said] = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'ok' },
    ]
    const first = { role: 'system', content: 'You are terse.' }
    const request = { model: 'm', messages: [first, user, said, { role: 'system', content: 'It is noon.' }, user] }
    const message = 'invalid params, invalid chat setting (2013)'
    const messages = [{ role: 'system', content: 'You are terse.\n\nIt is noon.' }, user, said, user]
    expect(answer(message, request, 'openai-chat')).toEqual({ model: 'm', messages })
    const single = { model: 'm', messages: [first, user] }
    expect(answer(message, single, 'openai-chat')).toBe(single)
  })

  test.each([
    'prompt is too long: 206640 tokens > 200000 maximum',
    'Input is too long for requested model.',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'Your prompt of 150000 tokens exceeds the context window of 131072 tokens',
  ])('[RJ21] a prompt of the AI SDK is shortened: %s', message => {
    const rejection = readRejection(400, { error: { message } })
    if (!rejection) throw new Error('it is not read')
    const user = { role: 'user', content: [{ type: 'text', text: 'read the log' }] }
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'shell', input: {} }
    const output = { type: 'text', value: 'line of the log. '.repeat(3000) }
    const prompt = [
      user,
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'shell', output }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is long.' }] },
      { role: 'user', content: [{ type: 'text', text: 'what failed?' }] },
    ]
    const { body } = healRejected({ prompt }, rejection, { format: 'ai-sdk' })
    expect(body.prompt).toHaveLength(prompt.length)
    expect(JSON.stringify(body)).toContain('what failed?')
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(prompt).length * 0.9)
  })

  test('[RJ12] a request that only refers to a lost response is passed on: the conversation is gone', () => {
    const rejection = readRejection(400, { error: { message: "Previous response with id 'resp_gone' not found." } })
    if (!rejection) throw new Error('it is not read')
    for (const input of [
      [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
      [{ role: 'user', content: 'and now?' }],
    ]) {
      const request = { model: 'gpt-5.2', previous_response_id: 'resp_gone', input }
      expect(healRejected(request, rejection, { format: 'openai-responses' }).body).toBe(request)
    }
  })

  test('[RJ12] a vague error text is acted on only if the request has a known fault', () => {
    const quiet = [
      'Request contains an invalid argument.',
      'Invalid request Error',
      'Param Incorrect',
      'We could not parse the JSON body of your request.',
    ]
    for (const message of quiet) {
      const rejection = readRejection(400, { error: { message } })
      if (!rejection) throw new Error(message)
      const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
      const chat = { model: 'x', messages: [{ role: 'user', content: 'hi' }] }
      expect(healRejected(contents, rejection, { format: 'gemini' }).body).toBe(contents)
      expect(healRejected(chat, rejection, { format: 'openai-chat' }).body).toBe(chat)
    }
  })
})

/** Texts in words that known rejections use as well, and that no change of the history answers. */
const lookalikes: readonly { status: number; message: string; fields?: object }[] = [
  { status: 400, message: 'This model does not support image generation.' },
  { status: 400, message: 'The model does not support file search.' },
  {
    status: 400,
    message: 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
  },
  { status: 400, message: 'Output blocked by content filtering policy' },
  {
    status: 429,
    message:
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.',
  },
  { status: 400, message: "Invalid 'top_p': decimal above maximum value. Expected a value <= 1, but got 2 instead." },
  {
    status: 400,
    message:
      "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom'",
  },
  {
    status: 400,
    message: "Invalid value: 'json'. Supported values are: 'text', 'json_object', and 'json_schema'.",
    fields: { param: 'response_format.type' },
  },
  {
    status: 400,
    message: "Invalid value: 'high'. Supported values are: 'low', and 'auto'.",
    fields: { param: 'messages[0].content[1].image_url.detail' },
  },
  {
    status: 400,
    message: "litellm.UnsupportedParamsError: x does not support parameters: ['tools', 'tool_choice'], for model=y",
  },
  { status: 400, message: 'The parameter messages specified in the request are not valid: too many requests' },
  { status: 400, message: 'detail: high is not supported by model x; supported values: [low]' },
  { status: 400, message: '该模型不支持图片生成' },
  { status: 404, message: 'No such File object: file-abc' },
  { status: 400, message: 'Image width must be less than 512 pixels' },
  { status: 403, message: 'Image count 5 exceeds limit 4 of your plan.' },
  { status: 400, message: 'max_tokens must be at least 1, got 0.' },
  { status: 413, message: 'Payload Too Large' },
  { status: 403, message: 'Your project does not have access to this model.' },
  { status: 529, message: 'Overloaded' },
]

test.each(lookalikes)('[RJ17] $status $message: one request, byte for byte', async ({ status, message, fields }) => {
  const request = {
    model: 'gpt-5.2',
    reasoning_effort: 'high',
    response_format: { type: 'json' },
    tool_choice: 'required',
    tools: [{ type: 'function', function: { name: 'shot', parameters: { type: 'object' } } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
        ],
      },
      { role: 'assistant', content: 'seen' },
      { role: 'user', content: 'and?' },
    ],
  }
  const bodies: string[] = []
  const answer = JSON.stringify({ error: { message, ...fields } })
  const send: typeof fetch = async (_, init) => {
    bodies.push(String(init?.body))
    return new Response(answer, { status })
  }
  const heal = healFetch({ fetch: send, onRepair() {}, onError: fail })
  const body = JSON.stringify(request)
  const response = await heal('http://any/v1/chat/completions', { method: 'POST', body })
  expect(bodies).toEqual([body])
  expect([response.status, await response.text()]).toEqual([status, answer])
})

test('[RJ13] for any answer to any request: never a third request, never the same twice, and pairs stay', async () => {
  const small = sharedCases.filter(({ request }) => JSON.stringify(request).length < 20_000)
  let retried = 0
  for (const [index, asked] of small.entries()) {
    for (const step of [1, 7, 23, 41]) {
      const answered = sharedCases[(index * step + step) % sharedCases.length]
      const bodies: string[] = []
      const send: typeof fetch = async (_, init) => {
        bodies.push(String(init?.body))
        return new Response(bodyOf(answered), { status: answered.refusal.status })
      }
      const request = requestOf(asked)
      if (JSON.stringify(request).length > 500_000) continue
      const heal = healFetch({ fetch: send, onRepair() {}, onError: fail })
      const response = await heal(`http://any${pathOf(asked, request)}`, {
        method: 'POST',
        body: JSON.stringify(request),
      })
      expect(response.status).toBe(answered.refusal.status)
      expect(bodies.length).toBeLessThanOrEqual(answered.class === 'not-healable' ? 1 : 2)
      expect(bodies[0] === bodies[1]).toBe(false)
      if (bodies.length === 2) retried++
      if (pairs(request).ok)
        for (const body of bodies)
          expect(pairs(JSON.parse(body)).ok, `${asked.id} answered as ${answered.id}`).toBe(true)
    }
  }
  expect(retried).toBeGreaterThan(20)
})

function fail(error: unknown): never {
  throw error
}
