import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a call after its reasoning',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a model that does not reason',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { model: 'gpt-4.1' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an answer, and no model named',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
        { role: 'user', content: 'Friday.' },
      ],
    },
    {
      name: 'a call without any reasoning',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a call whose reasoning has lost its id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', summary: [] },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a call whose reasoning was filtered out, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an answer whose reasoning was filtered out, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true, model: 'gpt-5' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
        { role: 'user', content: 'Friday.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
        { role: 'user', content: 'Friday.' },
      ],
    },
  ],
}
