import type { Examples } from '../example.ts'

const asked = { type: 'human', content: 'Read it.' }
const block = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } }
const result = { type: 'tool', content: 'hello', tool_call_id: 'toolu_1' }

export const examples: Examples = {
  valid: [
    {
      name: 'a call that is in the list and in the content',
      format: 'langchain',
      dialect: 'openai',
      messages: [
        asked,
        {
          type: 'ai',
          content: [block],
          tool_calls: [{ name: 'read', args: { path: 'a.txt' }, id: 'toolu_1', type: 'tool_call' }],
        },
        result,
      ],
    },
    {
      name: 'a call that is in the content alone, for Anthropic, which gets the content as it is',
      format: 'langchain',
      dialect: 'anthropic',
      messages: [asked, { type: 'ai', content: [block], tool_calls: [] }, result],
    },
    {
      name: 'calls of OpenAI, which are sent from their own list too',
      format: 'langchain',
      dialect: 'openai',
      messages: [
        asked,
        {
          type: 'ai',
          content: '',
          tool_calls: [],
          additional_kwargs: {
            tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
          },
        },
        result,
      ],
    },
  ],
  invalid: [
    {
      name: 'a call that is in the content alone, for OpenAI',
      format: 'langchain',
      dialect: 'openai',
      messages: [asked, { type: 'ai', content: [block], tool_calls: [] }, result],
      finds: ['messages[1].content[0]'],
      after: [
        asked,
        {
          type: 'ai',
          content: [block],
          tool_calls: [{ name: 'read', args: { path: 'a.txt' }, id: 'toolu_1', type: 'tool_call' }],
        },
        result,
      ],
    },
    {
      name: 'a call that only the extra fields of OpenAI have, for Anthropic',
      format: 'langchain',
      dialect: 'anthropic',
      messages: [
        asked,
        {
          type: 'ai',
          content: '',
          tool_calls: [],
          additional_kwargs: {
            tool_calls: [
              { id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } },
            ],
          },
        },
        result,
      ],
      finds: ['messages[1].additional_kwargs.tool_calls[0]'],
      after: [
        asked,
        {
          type: 'ai',
          content: '',
          tool_calls: [{ name: 'read', args: { path: 'a.txt' }, id: 'toolu_1', type: 'tool_call' }],
          additional_kwargs: {},
        },
        result,
      ],
    },
  ],
}
