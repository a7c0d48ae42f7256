import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an assistant message in between',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
        chat.user('Book it.'),
      ],
    },
    {
      name: 'a user message after a result, where the provider accepts it',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.user('Book it.'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a user message after a result',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
        chat.user('Book it.'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
        chat.assistant('(no reply was recorded)'),
        chat.user('Book it.'),
      ],
    },
  ],
}
