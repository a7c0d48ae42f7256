import type { Examples } from '../example.ts'
import { anthropic, chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'nine letters and digits',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'letters, digits, underscores and dashes',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_01-A', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_01-A', 'TP 1351, 89 EUR')),
      ],
    },
  ],
  invalid: [
    {
      name: 'ids that are numbers, answered out of order',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Compare both.'),
        chat.calls(chat.call(1, 'read', '{"n":1}'), chat.call(2, 'read', '{"n":2}')),
        chat.result(2, 'two'),
        chat.result(1, 'one'),
      ],
      finds: ['messages[1].tool_calls[0]', 'messages[1].tool_calls[1]'],
      after: [
        chat.user('Compare both.'),
        chat.calls(chat.call('1', 'read', '{"n":1}'), chat.call('2', 'read', '{"n":2}')),
        chat.result('2', 'two'),
        chat.result('1', 'one'),
      ],
    },
    {
      name: 'ids of another provider',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]', 'messages[1].tool_calls[1]'],
      after: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          { type: 'function', id: 'XlBre6FDy', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          { type: 'function', id: 'TbMkCuH8n', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
        ),
        chat.result('XlBre6FDy', 'TP 1351, 89 EUR'),
        chat.result('TbMkCuH8n', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'characters that the provider rejects',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('functions.search_flights:0', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('functions.search_flights:0', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('call_gPr9kW2xMv', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('call_gPr9kW2xMv', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'an id that is too long',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_8f14e45fceea167a5a36dedd4bea2543_bridge', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_8f14e45fceea167a5a36dedd4bea2543_bridge', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'call_N8fE9keLfM',
          function: { name: 'search_flights', arguments: '{"to":"LIS"}' },
        }),
        chat.result('call_N8fE9keLfM', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'the same id in two turns',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('To Lisbon?'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
        chat.user('To Porto?'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"OPO"}')),
        chat.result('call_1', 'TP 1925, 75 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('To Lisbon?'),
        chat.calls({
          type: 'function',
          id: 'XlBre6FDy',
          function: { name: 'search_flights', arguments: '{"to":"LIS"}' },
        }),
        chat.result('XlBre6FDy', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
        chat.user('To Porto?'),
        chat.calls({
          type: 'function',
          id: 'XlBre6FDy',
          function: { name: 'search_flights', arguments: '{"to":"OPO"}' },
        }),
        chat.result('XlBre6FDy', 'TP 1925, 75 EUR'),
      ],
    },
  ],
}
