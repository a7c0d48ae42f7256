import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'ids that the provider issued',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
      ],
    },
    {
      name: 'no item ids',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a call id in the place of the item id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { model: 'gpt-4.1' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
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
      name: 'an id from another system',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Hello.' },
        {
          type: 'message',
          id: 'thread:42/answer',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'an empty id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Hello.' },
        {
          type: 'message',
          id: '',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'an id on a user message',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [{ type: 'message', id: 'msg 1', role: 'user', content: 'Weather in Lisbon?' }],
      finds: ['input[0]'],
      after: [{ type: 'message', role: 'user', content: 'Weather in Lisbon?' }],
    },
    {
      name: 'a call whose reasoning is sent by its id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAAABo' },
        {
          type: 'function_call',
          id: 'call_2',
          call_id: 'call_2',
          name: 'book_flight',
          arguments: '{"flight":"TP 1351"}',
        },
        { type: 'function_call_output', call_id: 'call_2', output: 'Booked.' },
      ],
      finds: ['input[2]', 'input[1]', 'input[5]', 'input[4]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
        { type: 'function_call', call_id: 'call_2', name: 'book_flight', arguments: '{"flight":"TP 1351"}' },
        { type: 'function_call_output', call_id: 'call_2', output: 'Booked.' },
      ],
    },
  ],
}
