import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'one system message',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'two where the provider accepts them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'the same twice',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'two that differ',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'system', content: 'You book flights.\n\nAnswer in Portuguese.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'blocks and a string',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'You book flights.' }] },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[1]'],
      after: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'You book flights.' },
            { type: 'text', text: 'Answer in Portuguese.' },
          ],
        },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
}
