import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the user first',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'a greeting, where only calls are refused first',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'a summary of earlier turns, as the provider made it',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'assistant', content: [{ type: 'compaction', content: 'A trip to Lisbon.', signature: 'EuYBCkQY' }] },
        { role: 'assistant', content: 'TP 1351 leaves at 10:00.' },
        { role: 'user', content: 'Book it.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a greeting',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'user', content: '(continue)' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'a beginning that was cut away',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a1B2c3D4e', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'user', content: '(continue)' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a1B2c3D4e', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a call after text, in items',
      format: 'openai-responses',
      dialect: 'mistral',
      messages: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call', call_id: 'a1B2c3D4e', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'a1B2c3D4e', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[0]'],
      after: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '(continue)' }] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call', call_id: 'a1B2c3D4e', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'a1B2c3D4e', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'after the system message',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: '(continue)' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
  ],
}
