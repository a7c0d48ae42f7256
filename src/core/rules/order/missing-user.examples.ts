import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a user message',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'a stored history',
      format: 'openai-chat',
      dialect: 'qwen',
      options: { pending: 'keep' },
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'assistant', content: 'Hello. Where to?' },
      ],
    },
  ],
  invalid: [
    {
      name: 'system messages alone, where the system prompt is not a message',
      format: 'openai-chat',
      dialect: 'anthropic',
      messages: [{ role: 'system', content: 'You book flights.' }],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: '(continue)' },
      ],
    },
    {
      name: 'a system prompt alone',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [{ role: 'system', content: 'You book flights.' }],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: '(continue)' },
      ],
    },
    {
      name: 'a history that was cut',
      format: 'openai-chat',
      dialect: 'glm',
      messages: [
        { role: 'system', content: 'You book flights.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'user', content: '(continue)' },
      ],
    },
  ],
}
