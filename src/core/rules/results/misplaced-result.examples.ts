import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the results before the assistant goes on',
      format: 'openai-chat',
      dialect: 'openai',
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
        { role: 'assistant', content: 'Both are found.' },
      ],
    },
    {
      name: 'a late result among items that pair by id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { role: 'user', content: 'A hotel too.' },
        { type: 'function_call', call_id: 'call_2', name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_2', output: 'Hotel Tejo, 120 EUR' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a result after the next step',
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
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_3', type: 'function', function: { name: 'book_flight', arguments: '{"number":"TP 1351"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_3', content: 'Booked.' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[5]'],
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
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_3', type: 'function', function: { name: 'book_flight', arguments: '{"number":"TP 1351"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_3', content: 'Booked.' },
      ],
    },
    {
      name: 'a tool that came back in the next turn',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: 'Are you there?' },
        { role: 'assistant', content: [{ type: 'text', text: 'The search still runs.' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
      finds: ['messages[4].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Are you there?' },
        { role: 'assistant', content: [{ type: 'text', text: 'The search still runs.' }] },
      ],
    },
    {
      name: 'a placeholder after assistant text',
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
        { role: 'assistant', content: 'The search was stopped.' },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[no result] This call was interrupted before its result was recorded. It may have run in part.',
        },
      ],
      finds: ['messages[3]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[no result] This call was interrupted before its result was recorded. It may have run in part.',
        },
        { role: 'assistant', content: 'The search was stopped.' },
      ],
    },
    {
      name: 'a result that took longer than the next call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { role: 'user', content: 'A hotel too.' },
        { type: 'function_call', call_id: 'call_2', name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_2', output: 'Hotel Tejo, 120 EUR' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[5]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'A hotel too.' },
        { type: 'function_call', call_id: 'call_2', name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_2', output: 'Hotel Tejo, 120 EUR' },
      ],
    },
  ],
}
