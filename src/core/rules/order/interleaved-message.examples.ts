import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a user message after the results',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.user('Only direct flights.'),
      ],
    },
    {
      name: 'text after the results, in their message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.text('Only direct flights.'),
        ),
      ],
    },
    {
      name: 'a user message between items that pair by id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.user('Only direct flights.'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'the user spoke while the tool ran',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.user('Only direct flights.'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.user('Only direct flights.'),
      ],
    },
    {
      name: 'a system note between the results',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.system('The user is in Berlin.'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
        chat.system('The user is in Berlin.'),
      ],
    },
    {
      name: 'an image that belongs to the first result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Compare both pages.'),
        chat.calls(
          chat.call('call_1', 'screenshot', '{"page":"old"}'),
          chat.call('call_2', 'screenshot', '{"page":"new"}'),
        ),
        chat.result('call_1', 'See the image.'),
        chat.user([{ type: 'image_url', image_url: { url: 'https://example.com/old.png' } }]),
        chat.result('call_2', 'The page did not load.'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Compare both pages.'),
        chat.calls(
          chat.call('call_1', 'screenshot', '{"page":"old"}'),
          chat.call('call_2', 'screenshot', '{"page":"new"}'),
        ),
        chat.result('call_1', 'See the image.'),
        chat.result('call_2', 'The page did not load.'),
        chat.user([{ type: 'image_url', image_url: { url: 'https://example.com/old.png' } }]),
      ],
    },
    {
      name: 'assistant text that was split off',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.assistant('I look for flights.'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'text before the results, in their message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.text('Only direct flights.'),
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
        ),
      ],
      finds: ['messages[2]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.text('Only direct flights.'),
        ),
      ],
    },
    {
      name: 'a user message between two items, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.user('Only direct flights.'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('Only direct flights.'),
      ],
    },
  ],
}
