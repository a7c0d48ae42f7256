import type { Examples } from '../example.ts'

const question = { role: 'user', parts: [{ text: 'Which restaurants are open?' }] }
const call = { role: 'model', parts: [{ functionCall: { name: 'find_open', args: {} } }] }

export const examples: Examples = {
  valid: [
    {
      name: 'an object',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        question,
        call,
        { role: 'user', parts: [{ functionResponse: { name: 'find_open', response: { names: ['Zum Anker'] } } }] },
      ],
    },
    {
      name: 'a list, where no provider rejects it',
      format: 'gemini',
      dialect: 'lenient',
      messages: [
        question,
        call,
        { role: 'user', parts: [{ functionResponse: { name: 'find_open', response: ['Zum Anker'] } }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'a list that a tool gave back',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        question,
        call,
        { role: 'user', parts: [{ functionResponse: { name: 'find_open', response: ['Zum Anker', 'Taverna'] } }] },
      ],
      finds: ['contents[2].parts[0]'],
      after: [
        question,
        call,
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'find_open', response: { output: ['Zum Anker', 'Taverna'] } } }],
        },
      ],
    },
    {
      name: 'a bare text',
      format: 'gemini',
      dialect: 'vertex',
      messages: [
        question,
        call,
        { role: 'user', parts: [{ function_response: { name: 'find_open', response: 'Only Zum Anker.' } }] },
      ],
      finds: ['contents[2].parts[0]'],
      after: [
        question,
        call,
        {
          role: 'user',
          parts: [{ function_response: { name: 'find_open', response: { output: 'Only Zum Anker.' } } }],
        },
      ],
    },
    {
      name: 'a list where a value must be an object',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Which sites are there?' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'list_sites', input: {} } }] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ json: ['north', 'south'] }] } }],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: [{ text: 'Which sites are there?' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'list_sites', input: {} } }] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: '["north","south"]' }] } }],
        },
      ],
    },
    {
      name: 'an output that was lost on the way, and one that is a bare text',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'notify', input: {} },
            { type: 'tool-call', toolCallId: 'call_2', toolName: 'find_open', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_1', toolName: 'notify' },
            { type: 'tool-result', toolCallId: 'call_2', toolName: 'find_open', output: 'Zum Anker' },
          ],
        },
      ],
      finds: ['messages[1].content[0]', 'messages[1].content[1]'],
      after: [
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'notify', input: {} },
            { type: 'tool-call', toolCallId: 'call_2', toolName: 'find_open', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'notify',
              output: { type: 'text', value: '' },
            },
            {
              type: 'tool-result',
              toolCallId: 'call_2',
              toolName: 'find_open',
              output: { type: 'text', value: 'Zum Anker' },
            },
          ],
        },
      ],
    },
    {
      name: 'text in place of a screenshot',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Open the door.' },
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'click', x: 10, y: 20, button: 'left' },
          pending_safety_checks: [],
          status: 'completed',
        },
        { type: 'computer_call_output', call_id: 'call_1', output: 'Error: the page is gone' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Open the door.' },
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'click', x: 10, y: 20, button: 'left' },
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
      name: 'a screenshot without its frame',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Open the door.' },
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'click', x: 10, y: 20, button: 'left' },
          pending_safety_checks: [],
          status: 'completed',
        },
        { type: 'computer_call_output', call_id: 'call_1', output: 'https://example.com/door.png' },
      ],
      finds: ['input[2]'],
      after: [
        { role: 'user', content: 'Open the door.' },
        {
          type: 'computer_call',
          call_id: 'call_1',
          action: { type: 'click', x: 10, y: 20, button: 'left' },
          pending_safety_checks: [],
          status: 'completed',
        },
        {
          type: 'computer_call_output',
          call_id: 'call_1',
          output: { type: 'computer_screenshot', image_url: 'https://example.com/door.png' },
        },
      ],
    },
  ],
}
