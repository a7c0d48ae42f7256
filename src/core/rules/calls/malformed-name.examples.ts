import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'letters, digits, underscores and dashes',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights-v2', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an empty name on the result, for a provider that does not check the characters of names',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'call_1', name: '', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a dot from a tool server',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'travel.search flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'a1B2c3D4e',
          function: { name: 'travel_search_flights', arguments: '{"to":"LIS"}' },
        }),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a name that is too long',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(
          chat.call(
            'a1B2c3D4e',
            'travel_server_of_the_lisbon_office__search_flights_with_one_stop_or_none',
            '{"to":"LIS"}',
          ),
        ),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'a1B2c3D4e',
          function: {
            name: 'travel_server_of_the_lisbon_office__search_flights_wit_JbDzYt4OK',
            arguments: '{"to":"LIS"}',
          },
        }),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'no name',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', '', '{"to":"LIS"}')),
        chat.result('call_1', 'Error: there is no such tool'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({ type: 'function', id: 'call_1', function: { name: 'unknown_tool', arguments: '{"to":"LIS"}' } }),
        chat.result('call_1', 'Error: there is no such tool'),
      ],
    },
    {
      name: 'the same name on the result',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'travel.search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'travel.search', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'travel_search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'travel_search', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a result without a name, whose call has a valid name',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'travel_search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'travel.search', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'travel_search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'travel_search', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'the deprecated form of calls, which pairs by name',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'travel.search', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'travel.search', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].function_call'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('nzbR0i0ub', 'travel_search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'nzbR0i0ub', name: 'travel_search', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an empty name on the result',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: '', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search', '{"to":"LIS"}')),
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'search', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
