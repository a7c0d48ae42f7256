import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'parallel calls in one message',
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
    {
      name: 'one step after the other',
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
      ],
    },
  ],
  invalid: [
    {
      name: 'one message a call, and then the results',
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
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[2]'],
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
      name: 'text with the second call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'And a hotel.' },
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
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'And a hotel.' },
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
    {
      name: 'a message that was stored twice',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I look for flights.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I look for flights.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I look for flights.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'text and reasoning stored with each call',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
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
      name: 'blocks of text stored with each call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I need both.' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I need both.' },
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
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I need both.' },
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
}
