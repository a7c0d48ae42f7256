import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { png } from '../images.ts'

type Fetch = typeof globalThis.fetch

/** What a conversation has besides its words: images of the user, and the result of the one call. */
interface Load {
  readonly images: readonly string[]
  readonly result: string
}

interface Library {
  readonly name: string
  /** The fact that a load breaks; none where the provider takes it. */
  readonly rejects: Partial<Record<keyof typeof loads, string>>
  ask(url: string, load: Load, fetch: Fetch): Promise<unknown>
}

/** The first words of a result that was cut stay, and those that follow it. */
const long = (bytes: number): string => `first line\n${'word '.repeat(bytes / 5)}`

const loads = {
  'an image of 12,000 pixels': { images: [png(12_000, 10), png(10, 10)], result: 'sunny' },
  '120 images': { images: Array.from({ length: 120 }, (_, at) => png(10, 10 + at)), result: 'sunny' },
  'a result of 3 MB': { images: [], result: long(3_000_000) },
  'a result of 5 MB': { images: [], result: long(5_000_000) },
} satisfies Record<string, Load>

const words = ['What is in these?', 'Let me see.', 'And now?']
const schema = { type: 'object' as const, properties: {} }
const apiKey = 'any'

const ai = (
  name: string,
  model: (url: string, fetch: Fetch) => LanguageModel,
  rejects: Library['rejects'],
): Library => ({
  ...{ name: `ai at ${name}`, rejects },
  ask(url, { images, result }, fetch) {
    const tools = { look: { inputSchema: jsonSchema(schema) } }
    const call = { toolCallId: 'call_1', toolName: 'look' }
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: words[0] },
          ...images.map(data => ({ type: 'file' as const, data, mediaType: 'image/png' })),
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: words[1] },
          { type: 'tool-call', ...call, input: {} },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: result } }] },
      { role: 'user', content: words[2] },
    ]
    return generateText({ model: model(url, fetch), messages, tools, maxRetries: 0 })
  },
})

const anthropicRejects: Library['rejects'] = {
  'an image of 12,000 pixels': 'an-image-side',
  '120 images': 'an-media-count',
  'a result of 3 MB': 'an-context',
  'a result of 5 MB': 'an-context',
}

const libraries: Library[] = [
  {
    name: '@anthropic-ai/sdk',
    rejects: anthropicRejects,
    ask(url, { images, result }, fetch) {
      const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0, logLevel: 'off', fetch })
      const shown = images.map(data => ({
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data },
      }))
      return client.messages.create({
        ...{ model: 'claude-opus-4-5', max_tokens: 99, tools: [{ name: 'look', input_schema: schema }] },
        messages: [
          { role: 'user', content: [{ type: 'text', text: words[0] }, ...shown] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: words[1] },
              { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }] },
          { role: 'user', content: words[2] },
        ],
      })
    },
  },
  {
    name: 'openai, chat',
    rejects: { 'a result of 3 MB': 'oc-context-limit', 'a result of 5 MB': 'oc-context-limit' },
    ask(url, { images, result }, fetch) {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, logLevel: 'off', fetch })
      const shown = images.map(data => ({
        type: 'image_url' as const,
        image_url: { url: `data:image/png;base64,${data}` },
      }))
      const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } }
      return client.chat.completions.create({
        model: 'gpt-5',
        tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: words[0] }, ...shown] },
          { role: 'assistant', content: words[1], tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: result },
          { role: 'user', content: words[2] },
        ],
      })
    },
  },
  {
    name: 'openai, responses',
    rejects: { 'a result of 3 MB': 'or-context', 'a result of 5 MB': 'or-context' },
    ask(url, { images, result }, fetch) {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, logLevel: 'off', fetch })
      const shown = images.map(data => ({
        ...{ type: 'input_image' as const, detail: 'auto' as const },
        image_url: `data:image/png;base64,${data}`,
      }))
      return client.responses.create({
        ...{ model: 'gpt-5', store: false },
        tools: [{ type: 'function', name: 'look', parameters: schema, strict: false }],
        input: [
          { role: 'user', content: [{ type: 'input_text', text: words[0] }, ...shown] },
          { role: 'assistant', content: words[1] },
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: result },
          { role: 'user', content: words[2] },
        ],
      })
    },
  },
  {
    name: '@google/genai',
    rejects: { 'a result of 5 MB': 'ge-context' },
    ask(url, { images, result }, fetch) {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch } })
      const shown = images.map(data => ({ inlineData: { mimeType: 'image/png', data } }))
      const contents: Content[] = [
        { role: 'user', parts: [{ text: words[0] }, ...shown] },
        { role: 'model', parts: [{ text: words[1] }, { functionCall: { name: 'look', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: result } } }] },
        { role: 'user', parts: [{ text: words[2] }] },
      ]
      return client.models.generateContent({ model: 'gemini-2.5-flash', contents })
    },
  },
  ai(
    'Anthropic',
    (url, fetch) => createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch })('claude-opus-4-5'),
    anthropicRejects,
  ),
  ai('OpenAI', (url, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch }).responses('gpt-5'), {
    'a result of 3 MB': 'or-context',
    'a result of 5 MB': 'or-context',
  }),
  ai('Google', (url, fetch) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch })('gemini-2.5-flash'), {
    'a result of 5 MB': 'ge-context',
  }),
]

describe.each(libraries)('$name', ({ rejects, ask }) => {
  const names = Object.keys(loads) as (keyof typeof loads)[]

  async function send(load: Load, wrap: (fetch: Fetch) => Fetch) {
    await using strict = await startStrict({ script: ['Fine.'] })
    const fetch = wrap((...args) => globalThis.fetch(...args))
    const failed = await ask(strict.url, load, fetch).then(
      () => undefined,
      (error: unknown) => error,
    )
    return { failed, requests: strict.requests }
  }

  test.each(names)('[S9] %s is rejected without healing where the provider has such a limit', async name => {
    const { failed, requests } = await send(loads[name], fetch => fetch)
    const fact = rejects[name]
    expect(failed === undefined).toBe(fact === undefined)
    expect(requests.map(({ verdict }) => verdict)).toMatchObject([fact === undefined ? 'accepted' : { fact }])
  })

  test.each(names)('[S9] %s goes on with healFetch', async name => {
    const { failed, requests } = await send(loads[name], fetch => healFetch({ fetch, onRepair: () => {} }))
    expect(failed).toBeUndefined()
    expect(requests.length).toBeLessThanOrEqual(2)
    expect(requests.at(-1)?.verdict).toBe('accepted')
    const sent = JSON.stringify(requests.at(-1)?.body)
    for (const said of words) expect(sent).toContain(said)
    expect(sent.match(/"name":"look"/g)?.length).toBeGreaterThanOrEqual(1)
    if (loads[name].result === 'sunny') expect(sent).toContain('sunny')
    // The newest images stay.
    const last = loads[name].images.at(-1)
    if (last !== undefined) expect(sent).toContain(last)
  })
})
