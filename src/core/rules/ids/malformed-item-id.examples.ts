import type { Examples } from '../example.ts'
import { responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'ids that the provider issued',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
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
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a call id instead of the item id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { model: 'gpt-4.1' },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an id from another system',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Hello.'),
        {
          type: 'message',
          id: 'thread:42/answer',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        responses.user('Lisbon.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Hello.'),
        responses.message('assistant', [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }]),
        responses.user('Lisbon.'),
      ],
    },
    {
      name: 'an empty id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Hello.'),
        {
          type: 'message',
          id: '',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }],
        },
        responses.user('Lisbon.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Hello.'),
        responses.message('assistant', [{ type: 'output_text', text: 'Hello. Where to?', annotations: [] }]),
        responses.user('Lisbon.'),
      ],
    },
    {
      name: 'an id on a user message',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [{ type: 'message', id: 'msg 1', role: 'user', content: 'Weather in Lisbon?' }],
      finds: ['input[0]'],
      after: [responses.message('user', 'Weather in Lisbon?')],
    },
    {
      name: 'a call whose reasoning is sent by its id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAAABo' },
        {
          type: 'function_call',
          id: 'call_2',
          call_id: 'call_2',
          name: 'book_flight',
          arguments: '{"flight":"TP 1351"}',
        },
        responses.output('call_2', 'Booked.'),
      ],
      finds: ['input[2]', 'input[1]', 'input[5]', 'input[4]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
        responses.call('call_2', 'book_flight', '{"flight":"TP 1351"}'),
        responses.output('call_2', 'Booked.'),
      ],
    },
  ],
}
