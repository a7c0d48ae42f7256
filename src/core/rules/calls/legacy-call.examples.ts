import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a call and its result as they are written today',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'the deprecated form, for a provider that accepts it',
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
      name: 'a call and its result in the deprecated form',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: '', function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].function_call', 'messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('', chat.call('call_nzbR0i0ubD', 'search_flights', '{"to":"LIS"}')),
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'call_nzbR0i0ubD' },
      ],
    },
    {
      name: 'a provider that has no role function',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].function_call', 'messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('nzbR0i0ub', 'search_flights', '{"to":"LIS"}')),
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'nzbR0i0ub' },
      ],
    },
  ],
}
