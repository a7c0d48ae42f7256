import type { Examples } from '../example.ts'
import { chat, ollama } from '../example-messages.ts'

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
    {
      name: 'two calls without ids, answered in another order',
      format: 'ollama',
      dialect: 'llama-template',
      messages: [
        ollama.user('Plan Lisbon.'),
        ollama.calls(ollama.call('search_flights', { to: 'LIS' }), ollama.call('search_hotels', { city: 'Lisbon' })),
        ollama.result('search_hotels', 'Hotel Tejo, 120 EUR'),
        ollama.result('search_flights', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        ollama.user('Plan Lisbon.'),
        ollama.calls(ollama.call('search_flights', { to: 'LIS' })),
        ollama.result('search_flights', 'TP 1351, 89 EUR'),
        { ...ollama.calls(ollama.call('search_hotels', { city: 'Lisbon' })), content: null },
        ollama.result('search_hotels', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
}
