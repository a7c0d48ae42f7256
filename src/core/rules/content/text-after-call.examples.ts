import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text before the call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look for flights.' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'text that the provider itself put there',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'text after a call whose result follows',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'text', text: 'I look for flights.' },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'an item between a call and its output',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'text after the call, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'text', text: 'I look for flights.' },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look for flights.' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'thinking stays first, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'A flight search will do.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'text', text: 'I look for flights.' },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
      finds: ['messages[1].content[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'A flight search will do.', signature: 'EqQBCgIYAhIM' },
            { type: 'text', text: 'I look for flights.' },
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
      ],
    },
    {
      name: 'an unanswered call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'text', text: 'The search does not answer. I know of TP 1351.' },
          ],
        },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: '[no result] No result of this call was recorded. Whether it ran is not known.',
              is_error: true,
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'The search does not answer. I know of TP 1351.' }] },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'an answer without an id after the call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'reasoning stays with its call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[3]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an answer with an id, for a provider without items',
      format: 'openai-responses',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
