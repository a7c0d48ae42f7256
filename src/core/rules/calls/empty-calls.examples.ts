import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'no list of calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'an empty list where the provider accepts it',
      format: 'openai-chat',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?', tool_calls: [] },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'an empty list of calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?', tool_calls: [] },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'an empty list and no text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: '', tool_calls: [] },
        { role: 'user', content: 'Is anybody there?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Is anybody there?' },
      ],
    },
  ],
}
