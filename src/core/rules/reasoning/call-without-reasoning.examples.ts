import type { Examples } from '../example.ts'
import { responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a call after its reasoning',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'two steps after one reasoning, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon, and a hotel.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'search_hotels', arguments: '{"in":"LIS"}' },
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'a model that does not reason',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { model: 'gpt-4.1' },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an answer, and no model named',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
        responses.user('Friday.'),
      ],
    },
    {
      name: 'a call without any reasoning',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a call whose reasoning has lost its id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'reasoning', summary: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'reasoning', summary: [] },
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a call whose reasoning was filtered out, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
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
      name: 'a call that has no reasoning in its own turn, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('And a hotel.'),
        { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'search_hotels', arguments: '{"in":"LIS"}' },
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['input[5]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('And a hotel.'),
        responses.call('call_2', 'search_hotels', '{"in":"LIS"}'),
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'an answer whose reasoning was filtered out, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true, model: 'gpt-5' },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
        responses.user('Friday.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.message('assistant', [{ type: 'output_text', text: 'For which day?', annotations: [] }]),
        responses.user('Friday.'),
      ],
    },
  ],
}
