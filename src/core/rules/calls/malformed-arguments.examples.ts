import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a JSON object',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'free text for a custom tool',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Rename it.' },
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
      ],
    },
  ],
  invalid: [
    {
      name: 'input as JSON text where an object is wanted',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'What is the weather in Lisbon?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: '{"city":"Lisbon"}' }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '24 degrees' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'What is the weather in Lisbon?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lisbon' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '24 degrees' }] },
      ],
    },
    {
      name: 'a stream that was cut',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'search_flights', arguments: '{"to":"LIS","day":"Fri' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Error: the arguments are not JSON' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              type: 'function',
              id: 'call_1',
              function: { name: 'search_flights', arguments: '{"_cut_off":"{\\"to\\":\\"LIS\\",\\"day\\":\\"Fri"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Error: the arguments are not JSON' },
      ],
    },
    {
      name: 'no arguments at all',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'What time is it?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '10:00' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'What time is it?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ type: 'function', id: 'call_1', function: { name: 'get_time', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '10:00' },
      ],
    },
    {
      name: 'JSON that is not an object',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '["LIS"]' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              type: 'function',
              id: 'call_1',
              function: { name: 'search_flights', arguments: '{"_cut_off":"[\\"LIS\\"]"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'an object that was never turned into text',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: { to: 'LIS' } },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'text in the place of an object',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: '{"to":"LIS"' }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The input was cut off.', is_error: true }],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { _cut_off: '{"to":"LIS"' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The input was cut off.', is_error: true }],
        },
      ],
    },
    {
      name: 'a call that a library set aside because it could not read it',
      format: 'langchain',
      dialect: 'lenient',
      messages: [
        { type: 'human', content: 'Find me a flight to Lisbon.' },
        {
          type: 'ai',
          content: '',
          tool_calls: [{ name: 'get_time', args: {}, id: 'call_1', type: 'tool_call' }],
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
        { type: 'human', content: 'Find me a flight to Lisbon.' },
        {
          type: 'ai',
          content: '',
          tool_calls: [
            { name: 'get_time', args: {}, id: 'call_1', type: 'tool_call' },
            {
              name: 'search_flights',
              args: { _cut_off: '{"to":"LIS","day":"Fri' },
              id: 'call_2',
              type: 'tool_call',
            },
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
            tool_calls: [
              { name: 'search_flights', args: { _cut_off: '{"to":"LIS"' }, id: 'call_1', type: 'tool_call' },
            ],
            additional_kwargs: {},
          },
        },
        { type: 'tool', data: { tool_call_id: 'call_1', content: 'The arguments are not JSON.' } },
      ],
    },
  ],
}
