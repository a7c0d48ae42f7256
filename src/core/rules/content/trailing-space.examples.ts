import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an answer begun for the model',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Name a city.' },
        { role: 'assistant', content: 'The city is' },
      ],
    },
    {
      name: 'white space that is not at the end of the history',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Name a city.' },
        { role: 'assistant', content: 'Lisbon. ' },
        { role: 'user', content: 'Another one.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a space after the unfinished answer',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Name a city.' },
        { role: 'assistant', content: 'The city is ' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Name a city.' },
        { role: 'assistant', content: 'The city is' },
      ],
    },
    {
      name: 'line breaks in the last block',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Name a city.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A city: ' },
            { type: 'text', text: 'Lisbon\n\n' },
          ],
        },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Name a city.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A city: ' },
            { type: 'text', text: 'Lisbon' },
          ],
        },
      ],
    },
  ],
}
