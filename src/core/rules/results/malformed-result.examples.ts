import type { Examples } from '../example.ts'
import { interactions } from '../example-messages.ts'

const question = { role: 'user', parts: [{ text: 'Which restaurants are open?' }] }
const call = { role: 'model', parts: [{ functionCall: { name: 'find_open', args: {} } }] }

const asked = [
  { role: 'user', content: 'Which restaurants are open?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find_open', arguments: '{}' } }],
  },
]
const used = [
  { role: 'user', content: 'Which restaurants are open?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'find_open', input: {} }] },
]
const answer = (content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }],
})

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
      name: 'a number',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      messages: [
        interactions.user('What is 20 + 22?'),
        interactions.call('a1', 'add', { a: 20, b: 22 }),
        interactions.result('a1', 'add', 42),
      ],
      finds: ['input[2]'],
      after: [
        interactions.user('What is 20 + 22?'),
        interactions.call('a1', 'add', { a: 20, b: 22 }),
        interactions.result('a1', 'add', '42'),
      ],
    },
    {
      name: 'an object that a tool returned',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [...asked, { role: 'tool', tool_call_id: 'call_1', content: { names: ['Zum Anker'] } }],
      finds: ['messages[2]'],
      after: [...asked, { role: 'tool', tool_call_id: 'call_1', content: '{"names":["Zum Anker"]}' }],
    },
    {
      name: 'a list of objects that are not blocks',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [...used, answer([{ name: 'Zum Anker' }, { name: 'Taverna' }])],
      finds: ['messages[2].content[0]'],
      after: [...used, answer('[{"name":"Zum Anker"},{"name":"Taverna"}]')],
    },
    {
      name: 'a text block whose text is an object',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [...used, answer([{ type: 'text', text: { name: 'Zum Anker' } }])],
      finds: ['messages[2].content[0]'],
      after: [...used, answer([{ type: 'text', text: '{"name":"Zum Anker"}' }])],
    },
    {
      name: 'a list that a tool returned',
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
      name: 'several texts for a Gemini model that takes one',
      format: 'ai-sdk',
      dialect: 'gemini',
      options: { model: 'gemini-2.5-pro' },
      messages: [
        { role: 'user', content: 'Where do we eat?' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'find_open', input: {} }],
        },
        {
          role: 'tool',
          content: [
            {
              ...{ type: 'tool-result', toolCallId: 'call_1', toolName: 'find_open' },
              output: {
                type: 'content',
                value: [
                  { type: 'text', text: 'Zum Anker' },
                  { type: 'text', text: 'until 10 p.m.' },
                ],
              },
            },
          ],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Where do we eat?' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'find_open', input: {} }],
        },
        {
          role: 'tool',
          content: [
            {
              ...{ type: 'tool-result', toolCallId: 'call_1', toolName: 'find_open' },
              output: { type: 'content', value: [{ type: 'text', text: 'Zum Anker\nuntil 10 p.m.' }] },
            },
          ],
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
