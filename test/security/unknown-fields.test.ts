import { expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { startStrict } from '../../src/strict/index.ts'

const stored = (message: object, n: number) => ({ id: `m${n}`, createdAt: n, ...message, metadata: {} })
const chat = (answer: object) => [
  { role: 'user', content: 'Hi.' },
  { role: 'assistant', content: 'Hello.', ...answer },
  { role: 'user', content: 'Go on.' },
]
const asLiteLLM = { reasoning_content: 'Hm.', thinking_blocks: [{ thinking: 'Hm.' }], provider_specific_fields: {} }
const asOpenRouter = { reasoning: 'Hm.', reasoning_details: [{ text: 'Hm.' }], images: [], refusal: null }

const groq = '/groq/openai/v1/chat/completions'
const streamed = [
  { role: 'user', content: 'Look.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.', id: 'b1', index: 0 },
      { type: 'tool_use', id: 't1', name: 'see', input: { type: 'text', id: 'mine', text: 'x' }, partial_json: '{}' },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', name: 'see', status: 'ok', content: 'A cat.' }] },
]

test.each([
  ['ids and times of a program', groq, chat({}).map(stored), chat({})],
  ['what LiteLLM adds', groq, chat(asLiteLLM), chat({})],
  ['what OpenRouter adds', groq, chat(asOpenRouter), chat({ reasoning: 'Hm.' })],
  [
    'what a client of a stream adds',
    '/v1/messages',
    streamed,
    [
      streamed[0],
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'see', input: { type: 'text', id: 'mine', text: 'x' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'A cat.' }] },
    ],
  ],
])(
  '[SE600] several fields that the provider does not know, of which it names one: %s',
  async (_, path, before, after) => {
    await using provider = await startStrict()
    const classes: string[] = []
    const heal = healFetch({ onRepair: ({ repairs }) => classes.push(...repairs.map(repair => repair.class)) })
    const tools = path === groq ? undefined : [{ name: 'see', input_schema: { type: 'object' } }]
    const body = JSON.stringify({
      model: path === groq ? 'llama' : 'claude-opus-4-5',
      max_tokens: 99,
      tools,
      messages: before,
    })
    const response = await heal(provider.url + path, { method: 'POST', body })
    expect([response.status, provider.requests.length]).toEqual([200, 2])
    const { messages } = (provider.requests[1]?.body ?? {}) as { messages?: unknown }
    expect(JSON.stringify(messages)).toBe(JSON.stringify(after))
    // Reasoning that is lost is in the report.
    expect(classes.includes('lossy')).toBe(before !== streamed && JSON.stringify(before).includes('Hm.'))
  },
)
