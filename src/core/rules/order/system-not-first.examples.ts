import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'at the beginning',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'after a user message, where the provider accepts it',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'To Lisbon.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a system message in the middle',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'To Lisbon.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: 'To Lisbon.' },
      ],
    },
    {
      name: 'a system message that is at the beginning already',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[3]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'after an assistant message',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[3]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'several notes keep their order',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[2]', 'messages[3]'],
      after: [
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
  ],
}
