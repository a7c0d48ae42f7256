import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'one result a call',
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
      name: 'the same result twice',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'a placeholder, and then the real result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'the real result, and then a placeholder of another system',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.output('call_1', '[Tool execution was interrupted]'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a placeholder of one word, and then the real result',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'aborted'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a real result long after a placeholder',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: '[Request interrupted by user for tool use]',
            is_error: true,
          },
          anthropic.text('Still there?'),
        ),
        anthropic.assistantBlocks(anthropic.text('The search was stopped.')),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.userBlocks(anthropic.text('Still there?')),
        anthropic.assistantBlocks(anthropic.text('The search was stopped.')),
      ],
    },
    {
      name: 'an error, and then what the tool saw',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'timeout', is_error: true },
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
        ),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'an error that the assistant has read',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'timeout', is_error: true }),
        anthropic.assistantBlocks(anthropic.text('The search timed out.')),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'), anthropic.text('And now?')),
      ],
      finds: ['messages[4].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'timeout', is_error: true }),
        anthropic.assistantBlocks(anthropic.text('The search timed out.')),
        anthropic.userBlocks(anthropic.text('And now?')),
      ],
    },
    {
      name: 'two observations',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.output('call_1', 'TP 1351, 98 EUR'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
