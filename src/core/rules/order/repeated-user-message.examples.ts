import type { Examples } from '../example.ts'
import { anthropic, chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'two that differ',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.user('To Lisbon, please.')],
    },
    {
      name: 'an answer in between',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.assistant('Hello.'), chat.user('Hello.')],
    },
  ],
  invalid: [
    {
      name: 'a double click',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Find me a flight to Lisbon.'), chat.user('Find me a flight to Lisbon.')],
      finds: ['messages[1]'],
      after: [chat.user('Find me a flight to Lisbon.'), chat.user('Find me a flight to Lisbon.')],
    },
    {
      name: 'a double click, dropped by choice',
      format: 'openai-chat',
      dialect: 'openai',
      options: { repeats: 'drop' },
      messages: [chat.user('Find me a flight to Lisbon.'), chat.user('Find me a flight to Lisbon.')],
      finds: ['messages[1]'],
      after: [chat.user('Find me a flight to Lisbon.')],
    },
    {
      name: 'blocks, dropped by choice',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { repeats: 'drop' },
      messages: [
        anthropic.userBlocks(anthropic.text('Why?'), {
          type: 'image',
          source: { type: 'url', url: 'https://example.com/error.png' },
        }),
        anthropic.userBlocks(anthropic.text('Why?'), {
          type: 'image',
          source: { type: 'url', url: 'https://example.com/error.png' },
        }),
      ],
      finds: ['messages[1]'],
      after: [
        anthropic.userBlocks(anthropic.text('Why?'), {
          type: 'image',
          source: { type: 'url', url: 'https://example.com/error.png' },
        }),
      ],
    },
  ],
}
