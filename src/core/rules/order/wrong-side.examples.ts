import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the assistant calls, the user answers',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'a result in the middle of an assistant message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'What is the weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lisbon' } },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: '24 degrees' },
            { type: 'text', text: 'It is 24 degrees.' },
          ],
        },
        { role: 'user', content: 'Thanks.' },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'What is the weather in Lisbon?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lisbon' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '24 degrees' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'It is 24 degrees.' }] },
        { role: 'user', content: 'Thanks.' },
      ],
    },
    {
      name: 'a result in an assistant message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[2].content[0]'],
      after: [
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
      name: 'a result in an assistant message, and its call is nowhere',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I found one.' },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
          ],
        },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [{ type: 'text', text: 'I found one.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'unknown_tool', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a call in a user message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Find me a flight to Lisbon.' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
      finds: ['messages[0].content[1]'],
      after: [
        { role: 'user', content: [{ type: 'text', text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'a result under the role assistant',
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
        { role: 'assistant', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[2]'],
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
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a call in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'system',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'a call and its result in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'system',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
          ],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'a result in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'system', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[2].content[0]'],
      after: [
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
      name: 'a result in the middle of a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'system',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'text', text: 'Prices are in euros.' },
          ],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'system', content: [{ type: 'text', text: 'Prices are in euros.' }] },
      ],
    },
    {
      name: 'results in an assistant message, one of them without a call',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'Plan Lisbon.' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'search_flights', args: { to: 'LIS' } } },
            { functionCall: { name: 'search_hotels', args: { city: 'Lisbon' } } },
          ],
        },
        {
          role: 'model',
          parts: [
            { functionResponse: { name: 'search_flights', response: { result: 'TP 1351, 89 EUR' } } },
            { functionResponse: { name: 'search_cars', response: { result: 'Fiat 500' } } },
            { functionResponse: { name: 'search_hotels', response: { result: 'Hotel Tejo, 120 EUR' } } },
          ],
        },
      ],
      finds: ['contents[2].parts[0]'],
      after: [
        { role: 'user', parts: [{ text: 'Plan Lisbon.' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'search_flights', args: { to: 'LIS' } } },
            { functionCall: { name: 'search_hotels', args: { city: 'Lisbon' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'search_flights', response: { result: 'TP 1351, 89 EUR' } } },
            { functionResponse: { name: 'search_hotels', response: { result: 'Hotel Tejo, 120 EUR' } } },
          ],
        },
        { role: 'model', parts: [{ functionCall: { name: 'search_cars', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'search_cars', response: { result: 'Fiat 500' } } }],
        },
      ],
    },
  ],
}
