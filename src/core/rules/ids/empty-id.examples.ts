import type { Examples } from '../example.ts'
import { chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the same id on both sides',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'the deprecated form of calls, which has no ids',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a result that names the item instead of the call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"to":"LIS"}' },
        responses.output('fc_1', 'TP 1351'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351'),
      ],
    },
    {
      name: 'calls and results without ids, matched by order',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          { type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          { type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
        ),
        { role: 'tool', content: 'TP 1351, 89 EUR' },
        { role: 'tool', content: 'Hotel Tejo, 120 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]', 'messages[1].tool_calls[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          { type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' }, id: 'call_nzbR0i0ubD' },
          {
            type: 'function',
            function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
            id: 'call_a5e4WpbHfi',
          },
        ),
        { role: 'tool', content: 'TP 1351, 89 EUR', tool_call_id: 'call_nzbR0i0ubD' },
        { role: 'tool', content: 'Hotel Tejo, 120 EUR', tool_call_id: 'call_a5e4WpbHfi' },
      ],
    },
    {
      name: 'results without ids, matched by name',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        { role: 'tool', name: 'search_hotels', content: 'Hotel Tejo, 120 EUR' },
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]', 'messages[3]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        { role: 'tool', name: 'search_hotels', content: 'Hotel Tejo, 120 EUR', tool_call_id: 'call_2' },
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'call_1' },
      ],
    },
    {
      name: 'an empty id, for a provider with its own form of ids',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('', 'search_flights', '{"to":"LIS"}')),
        chat.result('', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'nzbR0i0ub',
          function: { name: 'search_flights', arguments: '{"to":"LIS"}' },
        }),
        chat.result('nzbR0i0ub', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a call that lost its id, and a result that kept it',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({ type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } }),
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({ type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' }, id: 'call_1' }),
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an empty id on both sides',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('', 'search_flights', '{"to":"LIS"}'),
        responses.output('', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_nzbR0i0ubD', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_nzbR0i0ubD', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
