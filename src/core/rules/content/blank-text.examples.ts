import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a block with text before a call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I run them.' },
            { type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'npm test' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12 passed' }] },
      ],
    },
    {
      name: 'white space where only empty text is refused',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"npm test"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '12 passed' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: ' ' },
            { type: 'input_text', text: 'And the linter.' },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'an empty block before a call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: '' },
            { type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'npm test' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12 passed' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'npm test' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12 passed' }] },
      ],
    },
    {
      name: 'a block of line breaks',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: '\n\n' },
            { type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'npm test' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12 passed' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: { command: 'npm test' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12 passed' }] },
      ],
    },
    {
      name: 'an empty block beside an image',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'https://example.com/error.png' } },
            { type: 'text', text: '' },
          ],
        },
      ],
      finds: ['messages[0].content[1]'],
      after: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/error.png' } }] }],
    },
    {
      name: 'an empty answer beside a call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '', annotations: [] }] },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"npm test"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '12 passed' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{"command":"npm test"}' },
        { type: 'function_call_output', call_id: 'call_1', output: '12 passed' },
      ],
    },
    {
      name: 'a part with nothing under its keys',
      format: 'gemini',
      dialect: 'gemini',
      messages: [{ role: 'user', parts: [{ text: 'Weather in Lisbon?' }, { text: [] }] }],
      finds: ['contents[0].parts[1]'],
      after: [{ role: 'user', parts: [{ text: 'Weather in Lisbon?' }] }],
    },
  ],
}
