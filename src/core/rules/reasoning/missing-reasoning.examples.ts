import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'reasoning beside the call',
      format: 'openai-chat',
      dialect: 'deepseek',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'I need a search.',
          tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')],
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a model that does not reason',
      format: 'openai-chat',
      dialect: 'deepseek',
      options: { model: 'deepseek-chat' },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a store that does not keep reasoning',
      format: 'openai-chat',
      dialect: 'deepseek',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        {
          role: 'assistant',
          content: 'I look for flights.',
          tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')],
          reasoning_content: '(no reasoning was recorded)',
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'one step of two',
      format: 'openai-chat',
      dialect: 'moonshot',
      messages: [
        chat.user('Plan Lisbon.'),
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'First the flight.',
          tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')],
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.textAndCalls('', chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Plan Lisbon.'),
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'First the flight.',
          tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')],
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
        {
          role: 'assistant',
          content: '',
          tool_calls: [chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')],
          reasoning_content: '(no reasoning was recorded)',
        },
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
}
