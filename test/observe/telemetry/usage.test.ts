import { describe, expect, test } from 'vitest'
import { type DialectId, dialects } from '../../../src/core/dialects/index.ts'
import { errorType } from '../../../src/observe/telemetry/error-type.ts'
import { providerName } from '../../../src/observe/telemetry/provider-name.ts'
import { addUsage, readUsage, type Usage } from '../../../src/observe/telemetry/usage.ts'

/** What the providers and their frameworks say of cost, and what it comes to: cached input is part of the input. */
const cases: Record<string, [said: unknown, usage: Usage]> = {
  'OpenAI chat': [
    {
      ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      ...{ prompt_tokens_details: { cached_tokens: 60 }, completion_tokens_details: { reasoning_tokens: 8 } },
    },
    { input: 100, output: 20, cacheRead: 60, reasoning: 8 },
  ],
  'OpenAI Responses': [
    {
      ...{ input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 60 } },
      output_tokens_details: { reasoning_tokens: 8 },
    },
    { input: 100, output: 20, cacheRead: 60, reasoning: 8 },
  ],
  Anthropic: [
    { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10, output_tokens: 20 },
    { input: 100, output: 20, cacheRead: 60, cacheCreation: 10 },
  ],
  'Anthropic without a cache': [
    { input_tokens: 30, cache_read_input_tokens: null, cache_creation_input_tokens: null, output_tokens: 20 },
    { input: 30, output: 20 },
  ],
  Gemini: [
    {
      ...{ promptTokenCount: 90, toolUsePromptTokenCount: 10, cachedContentTokenCount: 60 },
      ...{ candidatesTokenCount: 12, thoughtsTokenCount: 8, totalTokenCount: 120 },
    },
    { input: 100, output: 20, cacheRead: 60, reasoning: 8 },
  ],
  Bedrock: [
    { inputTokens: 30, cacheReadInputTokens: 60, cacheWriteInputTokens: 10, outputTokens: 20, totalTokens: 120 },
    { input: 100, output: 20, cacheRead: 60, cacheCreation: 10 },
  ],
  'AI SDK': [
    {
      ...{ inputTokens: 100, outputTokens: 20, totalTokens: 120, reasoningTokens: 8, cachedInputTokens: 60 },
      inputTokenDetails: { noCacheTokens: 30, cacheReadTokens: 60, cacheWriteTokens: 10 },
    },
    { input: 100, output: 20, cacheRead: 60, cacheCreation: 10, reasoning: 8 },
  ],
  LangChain: [
    {
      ...{ input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      ...{ input_token_details: { cache_read: 60, cache_creation: 10 }, output_token_details: { reasoning: 8 } },
    },
    { input: 100, output: 20, cacheRead: 60, cacheCreation: 10, reasoning: 8 },
  ],
  Cohere: [
    { billed_units: { input_tokens: 3, output_tokens: 2 }, tokens: { input_tokens: 100, output_tokens: 20 } },
    { input: 100, output: 20 },
  ],
  'a gateway that has both': [
    { prompt_tokens: 100, completion_tokens: 20, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
    { input: 100, output: 20, cacheRead: 60, cacheCreation: 10 },
  ],
  nothing: [undefined, {}],
  'what is no number': [{ input_tokens: '100', output_tokens: Number.NaN }, {}],
  'a text': ['100', {}],
}

describe('what is said of a model call', () => {
  test.each(Object.entries(cases))('[OT24] cost, as %s tells it', (_, [said, usage]) => {
    expect(readUsage(said)).toEqual(usage)
  })

  test('[OT24] the cost of a turn is that of its responses', () => {
    expect(addUsage({ input: 1, output: 2 }, { input: 3, reasoning: 4 })).toEqual({ input: 4, output: 2, reasoning: 4 })
  })

  test('[OT25] a provider has the name that the conventions have for it', () => {
    const named = Object.fromEntries(Object.keys(dialects).map(id => [id, providerName(id)]))
    expect(named).toMatchObject({
      ...{ openai: 'openai', 'openai-responses': 'openai', anthropic: 'anthropic', gemini: 'gcp.gemini' },
      ...{ vertex: 'gcp.vertex_ai', bedrock: 'aws.bedrock', mistral: 'mistral_ai', deepseek: 'deepseek' },
      ...{ moonshot: 'moonshot_ai', xai: 'x_ai', cohere: 'cohere', lenient: 'unknown' },
    } satisfies Partial<Record<DialectId, string>>)
    expect(providerName('constructor')).toBe('constructor')
  })

  test('[OT26] the type of an error is a short word, and never what it says', () => {
    class Overloaded extends Error {}
    const types = [
      ...[
        { code: 'ECONNRESET', status: 500 },
        { status: 529, name: 'APIError' },
        new TypeError('no'),
        new Overloaded('no'),
      ],
      ...[new Error('no'), { name: 'StreamCut', message: 'no' }, { code: 'a sentence with a key: sk-1' }, {}],
      ...['no', undefined, null, Object.create(null)],
    ].map(errorType)
    expect(types).toEqual([
      ...['ECONNRESET', '529', 'TypeError', 'Overloaded'],
      ...['Error', 'StreamCut', '_OTHER', '_OTHER'],
      ...['_OTHER', '_OTHER', '_OTHER', '_OTHER'],
    ])
  })
})
