import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'nine letters and digits',
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
      ],
    },
    {
      name: 'letters, digits, underscores and dashes',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_01-A', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01-A', content: 'TP 1351, 89 EUR' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'ids that are numbers, answered out of order',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Compare both.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 1, type: 'function', function: { name: 'read', arguments: '{"n":1}' } },
            { id: 2, type: 'function', function: { name: 'read', arguments: '{"n":2}' } },
          ],
        },
        { role: 'tool', tool_call_id: 2, content: 'two' },
        { role: 'tool', tool_call_id: 1, content: 'one' },
      ],
      finds: ['messages[1].tool_calls[0]', 'messages[1].tool_calls[1]'],
      after: [
        { role: 'user', content: 'Compare both.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'read', arguments: '{"n":1}' } },
            { id: '2', type: 'function', function: { name: 'read', arguments: '{"n":2}' } },
          ],
        },
        { role: 'tool', tool_call_id: '2', content: 'two' },
        { role: 'tool', tool_call_id: '1', content: 'one' },
      ],
    },
    {
      name: 'ids of another provider',
      format: 'openai-chat',
      dialect: 'mistral',
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
      finds: ['messages[1].tool_calls[0]', 'messages[1].tool_calls[1]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { type: 'function', id: 'XlBre6FDy', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { type: 'function', id: 'TbMkCuH8n', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'XlBre6FDy', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'TbMkCuH8n', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'letters that are refused',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'functions.search_flights:0', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'functions.search_flights:0', content: 'TP 1351, 89 EUR' }],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_gPr9kW2xMv', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_gPr9kW2xMv', content: 'TP 1351, 89 EUR' }],
        },
      ],
    },
    {
      name: 'an id that is too long',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_8f14e45fceea167a5a36dedd4bea2543_bridge',
              type: 'function',
              function: { name: 'search_flights', arguments: '{"to":"LIS"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_8f14e45fceea167a5a36dedd4bea2543_bridge', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              type: 'function',
              id: 'call_N8fE9keLfM',
              function: { name: 'search_flights', arguments: '{"to":"LIS"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_N8fE9keLfM', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'the same id in two turns',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'To Lisbon?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
        { role: 'user', content: 'To Porto?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"OPO"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1925, 75 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'To Lisbon?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { type: 'function', id: 'XlBre6FDy', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'XlBre6FDy', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
        { role: 'user', content: 'To Porto?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { type: 'function', id: 'XlBre6FDy', function: { name: 'search_flights', arguments: '{"to":"OPO"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'XlBre6FDy', content: 'TP 1925, 75 EUR' },
      ],
    },
  ],
}
