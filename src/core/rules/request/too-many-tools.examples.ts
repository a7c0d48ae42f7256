import type { Examples } from '../example.ts'

const tool = (name: string): object => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})

/** So many tools, called `tool_0` and so on, of which the history called the last. */
const request = (model: string, count: number, gone: readonly number[] = []): object => ({
  model,
  tools: Array.from({ length: count }, (_, index) => index)
    .filter(index => !gone.includes(index))
    .map(index => tool(`tool_${index}`)),
  messages: [
    { role: 'user', content: 'Hello.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: `tool_${Math.max(130, count) - 1}`, arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
  ],
})

const chat = { format: 'openai-chat', dialect: 'openai', request: true } as const

export const examples: Examples = {
  valid: [
    { name: 'as many as the provider accepts', ...chat, messages: request('gpt-5.5', 128) },
    { name: 'a model of another maker, served by the same API', ...chat, messages: request('some-model', 130) },
  ],
  invalid: [
    {
      name: 'two too many: the last that were never called',
      ...chat,
      messages: request('gpt-5.5', 130),
      finds: ['tools', 'tools'],
      after: request('gpt-5.5', 130, [127, 128]),
    },
  ],
}
