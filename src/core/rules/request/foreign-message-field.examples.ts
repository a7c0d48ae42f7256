import type { Examples } from '../example.ts'

const chat = (fields: object): object => ({
  model: 'mistral-large-latest',
  messages: [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Hello!', ...fields },
    { role: 'user', content: 'How are you?' },
  ],
})

const messages = (fields: object): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { index: 1 }, ...fields }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'REAL' }] },
  ],
})

export const examples: Examples = {
  valid: [
    {
      name: 'a field that the provider knows',
      format: 'openai-chat',
      dialect: 'mistral',
      request: true,
      messages: chat({ prefix: false }),
    },
    {
      name: 'a provider that accepts the field',
      format: 'openai-chat',
      dialect: 'deepseek',
      request: true,
      messages: { ...chat({ reasoning_content: 'A greeting.' }), model: 'deepseek-v4-pro' },
    },
  ],
  invalid: [
    {
      name: 'reasoning of another provider',
      format: 'openai-chat',
      dialect: 'mistral',
      request: true,
      messages: chat({ reasoning_content: 'A greeting.', annotations: [] }),
      finds: ['messages[1].reasoning_content', 'messages[1].annotations'],
      after: chat({}),
    },
    {
      name: 'a stream position that a library stored',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: messages({ index: 1 }),
      finds: ['messages[1].content[0].index'],
      after: messages({}),
    },
  ],
}
