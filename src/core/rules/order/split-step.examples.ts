import type { Examples } from '../example.ts'
import { anthropic, chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'parallel calls in one message',
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
    {
      name: 'one step after the other',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'one message a call, and then the results',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[2]'],
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
      name: 'text with the second call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.assistantBlocks(
          anthropic.text('And a hotel.'),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
        ),
      ],
      finds: ['messages[2]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.text('And a hotel.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
        ),
      ],
    },
    {
      name: 'a message that was stored twice',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'text and reasoning stored with each call',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
          tool_calls: [chat.call('call_1', 'search_flights', '{"to":"LIS"}')],
        },
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
          tool_calls: [chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')],
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Plan Lisbon.'),
        {
          role: 'assistant',
          content: 'I need both.',
          reasoning_content: 'A flight and a bed.',
          tool_calls: [
            chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
            chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
          ],
        },
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'blocks of text stored with each call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.text('I need both.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.assistantBlocks(
          anthropic.text('I need both.'),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
        ),
      ],
      finds: ['messages[2]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.text('I need both.'),
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
}
