import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the call, and then its result',
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
  ],
  invalid: [
    {
      name: 'two writes that overtook each other',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'assistant', content: '89 EUR.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
    },
    {
      name: 'one of two results',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1]'],
      after: [
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
    {
      name: 'a result before another message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'an output before its call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
