import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an assistant message in between',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a1B2c3D4e', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a user message after a result, where the provider accepts it',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a user message after a result',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a1B2c3D4e', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', content: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[3]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a1B2c3D4e', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '(no reply was recorded)' },
        { role: 'user', content: 'Book it.' },
      ],
    },
  ],
}
