import type { Examples } from './example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'developer where it is known',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'developer', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'system',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'developer where only system is known',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'developer', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'developer in front of a chat template',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'You book flights.' }] },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: [{ type: 'text', text: 'You book flights.' }] },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
}
