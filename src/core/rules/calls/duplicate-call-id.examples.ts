import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an id that comes again in a later step',
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
            { id: 'call_1', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'ids of their own',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_use', id: 'toolu_2', name: 'search_hotels', input: { city: 'Lisbon' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'two calls of one step',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_1', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_1', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            {
              type: 'function',
              id: 'call_uWayCc5DUz',
              function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_uWayCc5DUz', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'one call that appears twice',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[1]'],
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
      ],
    },
    {
      name: 'an id that comes again where ids count for the whole history',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_hotels', input: { city: 'Lisbon' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Hotel Tejo, 120 EUR' }] },
      ],
      finds: ['messages[3].content[0]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_YpLVLqNemg', name: 'search_hotels', input: { city: 'Lisbon' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_YpLVLqNemg', content: 'Hotel Tejo, 120 EUR' }],
        },
      ],
    },
    {
      name: 'a call id that comes again on another call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'function_call', call_id: 'call_1', name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['input[3]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'function_call', call_id: 'call_uWayCc5DUz', name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        { type: 'function_call_output', call_id: 'call_uWayCc5DUz', output: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'the second result kept the id that its call has lost, and comes first',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_1', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            {
              id: 'call_uWayCc5DUz',
              type: 'function',
              function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_uWayCc5DUz', content: 'Hotel Tejo, 120 EUR' },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
