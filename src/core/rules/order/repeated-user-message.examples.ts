import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'two that differ',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: 'To Lisbon, please.' },
      ],
    },
    {
      name: 'an answer in between',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a double click',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
      ],
    },
    {
      name: 'a double click, dropped by choice',
      format: 'openai-chat',
      dialect: 'openai',
      options: { repeats: 'drop' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Find me a flight to Lisbon.' }],
    },
    {
      name: 'blocks, dropped by choice',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { repeats: 'drop' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Why?' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Why?' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
          ],
        },
      ],
      finds: ['messages[1]'],
      after: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Why?' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
          ],
        },
      ],
    },
  ],
}
