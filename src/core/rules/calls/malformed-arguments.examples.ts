import type { Examples } from '../example.ts'
import { anthropic, chat, langchain, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a JSON object',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'free text for a custom tool',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
      ],
    },
  ],
  invalid: [
    {
      name: 'input as JSON text where an object is required',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('What is the weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'weather', '{"city":"Lisbon"}')),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '24 degrees')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('What is the weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'weather', { city: 'Lisbon' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '24 degrees')),
      ],
    },
    {
      name: 'a stream that was cut',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS","day":"Fri')),
        chat.result('call_1', 'Error: the arguments are not JSON'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'call_1',
          function: { name: 'search_flights', arguments: '{"_cut_off":"{\\"to\\":\\"LIS\\",\\"day\\":\\"Fri"}' },
        }),
        chat.result('call_1', 'Error: the arguments are not JSON'),
      ],
    },
    {
      name: 'no arguments at all',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('What time is it?'),
        chat.calls(chat.call('call_1', 'get_time', '')),
        chat.result('call_1', '10:00'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('What time is it?'),
        chat.calls({ type: 'function', id: 'call_1', function: { name: 'get_time', arguments: '{}' } }),
        chat.result('call_1', '10:00'),
      ],
    },
    {
      name: 'JSON that is not an object',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '["LIS"]')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({
          type: 'function',
          id: 'call_1',
          function: { name: 'search_flights', arguments: '{"_cut_off":"[\\"LIS\\"]"}' },
        }),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an object that was never turned into text',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', { to: 'LIS' }),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'text instead of an object',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', '{"to":"LIS"')),
        anthropic.userBlocks({
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: 'The input was cut off.',
          is_error: true,
        }),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { _cut_off: '{"to":"LIS"' })),
        anthropic.userBlocks({
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: 'The input was cut off.',
          is_error: true,
        }),
      ],
    },
    {
      name: 'a call that a library set aside because it could not read it',
      format: 'langchain',
      dialect: 'lenient',
      messages: [
        langchain.human('Find me a flight to Lisbon.'),
        {
          type: 'ai',
          content: '',
          tool_calls: [langchain.call('get_time', {}, 'call_1')],
          invalid_tool_calls: [
            {
              name: 'search_flights',
              args: '{"to":"LIS","day":"Fri',
              id: 'call_2',
              error: 'Malformed args.',
              type: 'invalid_tool_call',
            },
          ],
        },
        { type: 'tool', tool_call_id: 'call_1', content: '10:00' },
        { type: 'tool', tool_call_id: 'call_2', content: 'The arguments are not JSON.', status: 'error' },
      ],
      finds: ['messages[1].invalid_tool_calls[0]'],
      after: [
        langchain.human('Find me a flight to Lisbon.'),
        {
          type: 'ai',
          content: '',
          tool_calls: [
            langchain.call('get_time', {}, 'call_1'),
            langchain.call('search_flights', { _cut_off: '{"to":"LIS","day":"Fri' }, 'call_2'),
          ],
          invalid_tool_calls: [],
        },
        { type: 'tool', tool_call_id: 'call_1', content: '10:00' },
        { type: 'tool', tool_call_id: 'call_2', content: 'The arguments are not JSON.', status: 'error' },
      ],
    },
    {
      name: 'a call in the syntax of a provider that could not be parsed',
      format: 'langchain',
      dialect: 'lenient',
      messages: [
        { type: 'human', data: { content: 'Find me a flight to Lisbon.' } },
        {
          type: 'ai',
          data: {
            content: '',
            tool_calls: [],
            additional_kwargs: {
              tool_calls: [
                { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"' } },
              ],
            },
          },
        },
        { type: 'tool', data: { tool_call_id: 'call_1', content: 'The arguments are not JSON.' } },
      ],
      finds: ['messages[1].data.additional_kwargs.tool_calls[0]'],
      after: [
        { type: 'human', data: { content: 'Find me a flight to Lisbon.' } },
        {
          type: 'ai',
          data: {
            content: '',
            tool_calls: [langchain.call('search_flights', { _cut_off: '{"to":"LIS"' }, 'call_1')],
            additional_kwargs: {},
          },
        },
        { type: 'tool', data: { tool_call_id: 'call_1', content: 'The arguments are not JSON.' } },
      ],
    },
  ],
}
