import type { Examples } from '../example.ts'
import { anthropic, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text before the call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.text('I look for flights.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'text that the provider itself wrote there',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'text after a call whose result follows',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.text('I look for flights.'),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'an item between a call and its output',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'text after the call, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.text('I look for flights.'),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.text('I look for flights.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'thinking stays first, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.thinking('A flight search will do.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.text('I look for flights.'),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[1].content[2]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.thinking('A flight search will do.', 'EqQBCgIYAhIM'),
          anthropic.text('I look for flights.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'an unanswered call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.text('The search does not answer. I know of TP 1351.'),
        ),
        anthropic.user('Book it.'),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks({
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: '[no result] No result of this call was recorded. Whether it ran is not known.',
          is_error: true,
        }),
        anthropic.assistantBlocks(anthropic.text('The search does not answer. I know of TP 1351.')),
        anthropic.user('Book it.'),
      ],
    },
    {
      name: 'an answer without an id after the call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'reasoning stays with its call, after a rejection',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { cautious: true },
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an answer with an id, for a provider without items',
      format: 'openai-responses',
      dialect: 'openai',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
}
