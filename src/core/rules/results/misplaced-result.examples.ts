import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the results before the assistant continues',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
        chat.assistant('Both are found.'),
      ],
    },
    {
      name: 'a late result among items that pair by id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Plan Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.user('A hotel too.'),
        responses.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a result after the next step',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_3', 'book_flight', '{"number":"TP 1351"}')),
        chat.result('call_3', 'Booked.'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[5]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
        chat.calls(chat.call('call_3', 'book_flight', '{"number":"TP 1351"}')),
        chat.result('call_3', 'Booked.'),
      ],
    },
    {
      name: 'a result in the next turn',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.user('Are you there?'),
        anthropic.assistantBlocks(anthropic.text('The search still runs.')),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[4].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Are you there?'),
        anthropic.assistantBlocks(anthropic.text('The search still runs.')),
      ],
    },
    {
      name: 'a placeholder after assistant text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.assistant('The search was stopped.'),
        chat.result(
          'call_1',
          '[no result] This call was interrupted before its result was recorded. It may have run in part.',
        ),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result(
          'call_1',
          '[no result] This call was interrupted before its result was recorded. It may have run in part.',
        ),
        chat.assistant('The search was stopped.'),
      ],
    },
    {
      name: 'a result after the next call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Plan Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.user('A hotel too.'),
        responses.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[5]'],
      after: [
        responses.user('Plan Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('A hotel too.'),
        responses.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        responses.output('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
}
