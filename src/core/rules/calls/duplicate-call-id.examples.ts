import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an id that is used again in a later step',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_1', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_1', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'different ids',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
        ),
      ],
    },
  ],
  invalid: [
    {
      name: 'two calls of one step',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_1', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_1', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}'), {
          type: 'function',
          id: 'call_uWayCc5DUz',
          function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' },
        }),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_uWayCc5DUz', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'one call that appears twice',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an id that is used again, where ids must be unique in the whole history',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_hotels', { city: 'Lisbon' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'Hotel Tejo, 120 EUR')),
      ],
      finds: ['messages[3].content[0]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.assistantBlocks(anthropic.toolUse('call_YpLVLqNemg', 'search_hotels', { city: 'Lisbon' })),
        anthropic.userBlocks(anthropic.toolResult('call_YpLVLqNemg', 'Hotel Tejo, 120 EUR')),
      ],
    },
    {
      name: 'a call id that is used again for another call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Plan Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.call('call_1', 'search_hotels', '{"city":"Lisbon"}'),
        responses.output('call_1', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Plan Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.call('call_uWayCc5DUz', 'search_hotels', '{"city":"Lisbon"}'),
        responses.output('call_uWayCc5DUz', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'the second result is first and has the original id, which its call has lost',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_1', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_uWayCc5DUz', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_uWayCc5DUz', 'Hotel Tejo, 120 EUR'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
