import type { Examples } from '../example.ts'

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
      name: 'no content where the format needs none',
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
    {
      name: 'an empty list, as long as the call did not fail',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Delete the build.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: { command: 'rm -r dist' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [], status: 'success' } }] },
      ],
    },
    {
      name: 'an empty list among items',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"rm -r dist"}' },
        { type: 'function_call_output', call_id: 'call_1', output: [] },
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
      name: 'an empty text where text is required',
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
      name: 'an empty list where text is required',
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
      name: 'no content where text is required',
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
      name: 'null where text is required',
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
      name: 'an empty list of blocks where text is required',
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
    {
      name: 'a blank text in a list of blocks',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Delete the build.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: { command: 'rm -r dist' } } }],
        },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: '' }], status: 'success' } }],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: [{ text: 'Delete the build.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: { command: 'rm -r dist' } } }],
        },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: '(no output)' }], status: 'success' } }],
        },
      ],
    },
    {
      name: 'a blank text beside an image, which is enough',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Show me the chart.' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'plot', input: {} } }] },
        {
          role: 'user',
          content: [
            {
              toolResult: {
                toolUseId: 'tooluse_1',
                content: [{ text: ' ' }, { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } }],
              },
            },
          ],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: [{ text: 'Show me the chart.' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'plot', input: {} } }] },
        {
          role: 'user',
          content: [
            {
              toolResult: {
                toolUseId: 'tooluse_1',
                content: [{ image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } }],
              },
            },
          ],
        },
      ],
    },
    {
      name: 'an error without content',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Delete the build.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: { command: 'rm -r dist' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [], status: 'error' } }] },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: [{ text: 'Delete the build.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'run', input: { command: 'rm -r dist' } } }],
        },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: '(no output)' }], status: 'error' } }],
        },
      ],
    },
    {
      name: 'an empty list where a text or blocks are wanted',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        { role: 'user', content: 'Delete the build.' },
        {
          role: 'assistant',
          content: '',
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
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"rm -r dist"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
    },
  ],
}
