import type { Examples } from './example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an empty text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
    },
    {
      name: 'no content where the wire needs none',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'null',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: null },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
    },
    {
      name: 'no output key',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"rm -r dist"}' },
        { type: 'function_call_output', call_id: 'call_1' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"rm -r dist"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '' },
      ],
    },
    {
      name: 'an empty text where words are wanted',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '(no output)' },
      ],
    },
    {
      name: 'an empty list where words are wanted',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [] },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '(no output)' },
      ],
    },
    {
      name: 'no content where words are wanted',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '(no output)' }] },
      ],
    },
    {
      name: 'null where words are wanted',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: null }] },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '(no output)' }] },
      ],
    },
    {
      name: 'an empty list of blocks where words are wanted',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [] }] },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'rm -r dist' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '(no output)' }] },
      ],
    },
  ],
}
