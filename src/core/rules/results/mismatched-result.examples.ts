import type { Examples } from '../example.ts'
import { chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a custom result for a custom call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
      ],
    },
    {
      name: 'a tool message for a call in the current form',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a result in the chat format',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search', '{"to":"LIS"}'),
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351' },
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search', '{"to":"LIS"}'),
        responses.output('call_1', 'TP 1351'),
      ],
    },
    {
      name: 'a result of a call that the provider stores',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { continues: true },
      messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'TP 1351' }],
      finds: ['input[0]'],
      after: [responses.output('call_1', 'TP 1351')],
    },
    {
      name: 'a function result for a custom call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        responses.output('call_1', 'Done'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
      ],
    },
    {
      name: 'a function result in blocks for a custom call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        responses.output('call_1', [{ type: 'input_text', text: 'Done' }]),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Done' }] },
      ],
    },
    {
      name: 'a function result for a shell call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Run the tests.'),
        { type: 'shell_call', call_id: 'call_1', action: { commands: ['npm test'] }, status: 'completed' },
        responses.output('call_1', '12 passed'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Run the tests.'),
        { type: 'shell_call', call_id: 'call_1', action: { commands: ['npm test'] }, status: 'completed' },
        {
          type: 'shell_call_output',
          call_id: 'call_1',
          output: [{ stdout: '12 passed', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        },
      ],
    },
    {
      name: 'a function result for a screenshot',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Open the shop.'),
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'screenshot' },
          pending_safety_checks: [],
          status: 'completed',
        },
        responses.output('call_1', 'The tool is not available.'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Open the shop.'),
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'screenshot' },
          pending_safety_checks: [],
          status: 'completed',
        },
        {
          type: 'computer_call_output',
          call_id: 'call_1',
          output: {
            type: 'computer_screenshot',
            image_url:
              'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
          },
        },
      ],
    },
    {
      name: 'a result in the current form for a call in the deprecated form',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a result in the deprecated form for a call in the current form',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'call_1' },
      ],
    },
    {
      name: 'an id on the result of a call in the deprecated form, which has none',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'assistant', content: null, function_call: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
        { role: 'function', name: 'search_flights', content: 'TP 1351, 89 EUR' },
      ],
    },
  ],
}
