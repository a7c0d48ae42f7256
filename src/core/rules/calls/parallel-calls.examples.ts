import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'one call a message',
      format: 'openai-chat',
      dialect: 'llama-template',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'several where the provider supports them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'two calls in one message',
      format: 'openai-chat',
      dialect: 'llama-template',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I look for both.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I look for both.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
  ],
}
