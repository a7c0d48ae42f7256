import type { Examples } from '../example.ts'
import { anthropic } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'an answer begun for the model',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [anthropic.user('Name a city.'), anthropic.assistant('The city is')],
    },
    {
      name: 'white space that is not at the end of the history',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [anthropic.user('Name a city.'), anthropic.assistant('Lisbon. '), anthropic.user('Another one.')],
    },
  ],
  invalid: [
    {
      name: 'a space after the unfinished answer',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [anthropic.user('Name a city.'), anthropic.assistant('The city is ')],
      finds: ['messages[1]'],
      after: [anthropic.user('Name a city.'), anthropic.assistant('The city is')],
    },
    {
      name: 'line breaks in the last block',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Name a city.'),
        anthropic.assistantBlocks(anthropic.text('A city: '), anthropic.text('Lisbon\n\n')),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Name a city.'),
        anthropic.assistantBlocks(anthropic.text('A city: '), anthropic.text('Lisbon')),
      ],
    },
  ],
}
