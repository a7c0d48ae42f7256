import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { describe, expect, test } from 'vitest'
import { jpeg } from '../../src/core/rules/example-media.ts'
import { type AiSdkReport, healMiddleware } from '../../src/integrations/ai-sdk/index.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAABQAAAAMgCAIAAADz+lisAAAADElEQVR4nGNgoAwAAABAAAG3NHzvAAAAAElFTkSuQmCC'
// Within the limits that are known, so that only the rejection tells that it is too tall.
const tall = jpeg(1280, 5000)
const signature = 'ErUBCkYIBRgCIkBmb3JlaWduLXNpZ25hdHVyZQ=='
const log = 'line of the log. '.repeat(3000)

const call = (options: object = {}): ModelMessage[] => [
  { role: 'user', content: 'look at it' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'shot', input: {}, ...options }],
  },
]
const result = (output: object): ModelMessage[] =>
  [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'shot', output }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
    { role: 'user', content: 'and now?' },
  ] as ModelMessage[]

const anthropicError = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })
const openaiError = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})
const googleError = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })

/** A reply that says `ok`, streamed or not, by the API that is asked. */
function reply(url: string, isStream: boolean): Response {
  const stream = (events: readonly (readonly [name: string, data: object])[]): Response =>
    new Response(events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  if (url.includes('/messages')) {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'x',
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    if (!isStream)
      return Response.json({
        ...message,
        stop_reason: 'end_turn',
        stop_sequence: null,
        content: [{ type: 'text', text: 'ok' }],
      })
    return stream([
      ['message_start', { type: 'message_start', message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }],
      ['message_stop', { type: 'message_stop' }],
    ])
  }
  if (url.includes('/chat/completions')) {
    const base = { id: 'c', created: 1, model: 'x' }
    if (!isStream)
      return Response.json({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } }],
      })
    return stream([
      [
        '',
        {
          ...base,
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
        },
      ],
    ])
  }
  const candidate = { candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] }
  return isStream ? stream([['', candidate]]) : Response.json(candidate)
}

const anthropic = (fetch: typeof globalThis.fetch) =>
  createAnthropic({ baseURL: 'http://any/v1', apiKey: 'a', fetch })('claude-opus-4-8')
const chat = (fetch: typeof globalThis.fetch) =>
  createOpenAI({ baseURL: 'http://any/v1', apiKey: 'a', fetch }).chat('gpt-4o')
const google = (fetch: typeof globalThis.fetch) =>
  createGoogleGenerativeAI({ baseURL: 'http://any/v1beta', apiKey: 'a', fetch })('gemini-2.5-pro')

interface PromptCase {
  readonly name: string
  readonly model: (
    fetch: typeof globalThis.fetch,
  ) => ReturnType<typeof anthropic> | ReturnType<typeof chat> | ReturnType<typeof google>
  readonly messages: ModelMessage[]
  readonly settings?: object
  readonly status?: number
  readonly error: unknown
  /** What a request that is accepted does not have. */
  readonly gone: string
  readonly kept: readonly string[]
}

const words = ['look at it', 'Seen.', 'and now?']

const cases: readonly PromptCase[] = [
  {
    name: 'a thinking signature of another model',
    model: anthropic,
    messages: [
      { role: 'user', content: 'look at it' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature } } },
          { type: 'text', text: 'Seen.' },
        ],
      },
      { role: 'user', content: 'and now?' },
    ],
    error: anthropicError('messages.1.content.0: Invalid `signature` in `thinking` block'),
    gone: signature,
    kept: words,
  },
  {
    name: 'a tall image in a result',
    model: anthropic,
    messages: [
      ...call(),
      ...result({
        type: 'content',
        value: [
          { type: 'text', text: 'the shot' },
          { type: 'file', mediaType: 'image/jpeg', data: { type: 'data', data: tall } },
        ],
      }),
    ],
    error: anthropicError(
      'messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 4000 pixels',
    ),
    gone: tall,
    kept: [...words, 'call_1', 'the shot'],
  },
  {
    name: 'an image for a model without eyes',
    model: chat,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look at it' },
          { type: 'file', mediaType: 'image/png', data: Buffer.from(png, 'base64') },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
      { role: 'user', content: 'and now?' },
    ],
    status: 404,
    error: openaiError('No endpoints found that support image input'),
    gone: png,
    kept: words,
  },
  {
    name: 'a result that no longer fits',
    model: chat,
    messages: [...call(), ...result({ type: 'text', value: log })],
    error: openaiError(
      "This model's maximum context length is 8000 tokens. However, your messages resulted in 12000 tokens. Please reduce the length of the messages.",
    ),
    gone: log.slice(0, 400),
    kept: [...words, 'call_1'],
  },
  {
    name: 'a parameter',
    model: chat,
    messages: [{ role: 'user', content: 'look at it' }],
    settings: { temperature: 0.3, topP: 0.9 },
    error: openaiError(
      "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
    ),
    gone: '"temperature"',
    kept: ['look at it', '"top_p":0.9'],
  },
  {
    name: 'more tokens than the model writes',
    model: anthropic,
    messages: [{ role: 'user', content: 'look at it' }],
    settings: { maxOutputTokens: 100_000 },
    error: anthropicError(
      'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-8',
    ),
    gone: '"max_tokens":100000',
    kept: ['look at it', '"max_tokens":64000'],
  },
  {
    name: 'a thought signature of another key',
    model: google,
    messages: [
      ...call({ providerOptions: { google: { thoughtSignature: signature } } }),
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call_1', toolName: 'shot', output: { type: 'text', value: 'the shot' } },
        ],
      },
    ],
    error: googleError('Corrupted thought signature.'),
    gone: signature,
    kept: ['look at it', 'the shot', 'skip_thought_signature_validator'],
  },
  {
    name: 'half a character',
    model: chat,
    messages: [{ role: 'user', content: 'look at it \ud83d' }],
    error: openaiError('We could not parse the JSON body of your request.'),
    gone: '\\ud83d',
    kept: ['look at it'],
  },
]

/** A model whose provider rejects what a case says is wrong. */
function world({ model, error, status = 400, gone }: PromptCase, isHealable = true) {
  const bodies: string[] = []
  const reports: AiSdkReport[] = []
  const send: typeof fetch = async (input, init) => {
    const body = String(init?.body)
    bodies.push(body)
    if (!isHealable || body.includes(gone)) return Response.json(error, { status })
    return reply(String(input), /"stream":true|streamGenerate/.test(body + String(input)))
  }
  const middleware = healMiddleware({ onRepair: report => reports.push(report) })
  return { bodies, reports, model: wrapLanguageModel({ model: model(send), middleware }) }
}

async function ask({ messages, settings }: PromptCase, model: ReturnType<typeof world>['model'], isStream: boolean) {
  const asked = { model, messages, ...settings, maxRetries: 0 }
  if (!isStream) return (await generateText(asked)).text
  let failure: unknown
  const streamed = streamText({
    ...asked,
    onError: ({ error }) => {
      failure ??= error
    },
  })
  await streamed.consumeStream()
  if (failure !== undefined) throw failure
  return streamed.text
}

describe.each([
  ['generateText', false],
  ['streamText', true],
] as const)('%s', (_, isStream) => {
  test.each(cases)('[RJ21] $name: the prompt is repaired, retried once, and learnt from', async one => {
    const { bodies, reports, model } = world(one)
    expect(await ask(one, model, isStream)).toBe('ok')
    expect(bodies.length).toBe(2)
    expect(bodies[0]).toContain(one.gone)
    for (const word of one.kept) expect(bodies[1]).toContain(word)
    expect(reports.at(-1)?.refusal).toMatchObject({ status: one.status ?? 400 })

    // The next one is repaired before it is sent, where the fault can be known again.
    if (one.name === 'half a character') return
    expect(await ask(one, model, isStream)).toBe('ok')
    expect(bodies.length).toBe(3)
  })

  test('[RJ22] an error that cannot be repaired is thrown unchanged, after one request', async () => {
    for (const [status, message] of [
      [400, 'Your credit balance is too low to access the Anthropic API.'],
      [400, 'no such thing'],
      [529, 'Overloaded'],
      [400, 'messages.7.content.0: Invalid `signature` in `thinking` block'],
    ] as const) {
      const one = {
        ...cases[7],
        error: anthropicError(message),
        status,
        messages: [{ role: 'user' as const, content: 'hi' }],
      }
      const { bodies, reports, model } = world(one, false)
      await expect(ask(one, model, isStream)).rejects.toMatchObject({ statusCode: status })
      expect([bodies.length, reports]).toEqual([1, []])
    }
    // A second rejection is the answer.
    const { bodies, model } = world(cases[0], false)
    await expect(ask(cases[0], model, isStream)).rejects.toMatchObject({ statusCode: 400 })
    expect(bodies.length).toBe(2)
  })
})

describe('[SE105] a lesson of one account changes no prompt of another', () => {
  const photo: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'image', image: new URL('https://a.example/cat.png') },
      ],
    },
  ]

  /** Asks through one middleware; the first request with an image is rejected. Which requests had the image? */
  async function imagesIn(asks: readonly { readonly account: string; readonly headers?: Record<string, string> }[]) {
    const sent: boolean[] = []
    const send: typeof fetch = async (input, init) => {
      sent.push(String(init?.body).includes('"image_url"'))
      if (sent.length > 1) return reply(String(input), false)
      return Response.json(openaiError('No endpoints found that support image input'), { status: 404 })
    }
    const accounts = new Map<string, ReturnType<typeof createOpenAI>>()
    const middleware = healMiddleware({ onRepair() {} })
    for (const { account, headers } of asks) {
      if (!accounts.has(account)) accounts.set(account, createOpenAI({ apiKey: account, fetch: send }))
      const model = wrapLanguageModel({ model: accounts.get(account)?.chat('qwen3-vl') as never, middleware })
      await generateText({ model, messages: photo, maxRetries: 0, ...(headers && { headers }) })
    }
    return sent
  }

  test('one middleware, two provider instances; each makes a model for every prompt', async () => {
    expect(await imagesIn([{ account: 'a' }, { account: 'a' }, { account: 'b' }, { account: 'a' }])).toEqual([
      ...[true, false, false, true, false],
    ])
  })

  test('one provider instance, a header that names another account or feature', async () => {
    const asks = [{ account: 'a' }, { account: 'a', headers: { 'x-tenant-id': 'b' } }, { account: 'a' }]
    expect(await imagesIn(asks)).toEqual([true, false, true, false])
  })
})
