import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'reasoning and the call it led to',
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
      name: 'reasoning before a reference',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'item_reference', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'reasoning without an id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
        { role: 'user', content: 'Well?' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a response that was cut',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
      ],
      finds: ['input[1]'],
      after: [{ role: 'user', content: 'Find me a flight to Lisbon.' }],
    },
    {
      name: 'an answer that was not stored',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'user', content: 'Well?' },
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
        { role: 'user', content: 'Well?' },
      ],
    },
  ],
}
