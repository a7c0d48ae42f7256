import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the call, and then its result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'two writes in the wrong order',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'one of two results',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'a result before another message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Hello.'),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.user('Book it.'),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Hello.'),
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
    },
    {
      name: 'an output before its call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
