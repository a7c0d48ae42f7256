import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'one call a message',
      format: 'openai-chat',
      dialect: 'llama-template',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'several where the provider supports them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'two calls in one message',
      format: 'openai-chat',
      dialect: 'llama-template',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.textAndCalls(
          'I look for both.',
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.textAndCalls('I look for both.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
}
