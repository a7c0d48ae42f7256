import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'null beside calls',
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
      ],
    },
    {
      name: 'an empty text beside calls',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'no content key, which OpenAI accepts',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'no content key, after a rejection',
      format: 'openai-chat',
      dialect: 'openai',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
          content: null,
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'null where a text is wanted',
      format: 'openai-chat',
      dialect: 'xai',
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
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an empty text where text is required',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
