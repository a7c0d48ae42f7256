import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'null beside calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an empty text beside calls',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'no content key, which OpenAI accepts',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')] },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'no content key, after a rejection',
      format: 'openai-chat',
      dialect: 'openai',
      options: { cautious: true },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')] },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')], content: null },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'null where text is required',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an empty text where text is required',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')] },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
