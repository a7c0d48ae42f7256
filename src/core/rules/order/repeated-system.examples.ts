import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'one system message',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'two where the provider accepts them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.system('You book flights.'), chat.system('Answer in Portuguese.'), chat.user('Hello.')],
    },
  ],
  invalid: [
    {
      name: 'the same twice',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [chat.system('You book flights.'), chat.system('You book flights.'), chat.user('Hello.')],
      finds: ['messages[1]'],
      after: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'two that differ',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [chat.system('You book flights.'), chat.system('Answer in Portuguese.'), chat.user('Hello.')],
      finds: ['messages[1]'],
      after: [chat.system('You book flights.\n\nAnswer in Portuguese.'), chat.user('Hello.')],
    },
    {
      name: 'blocks and a string',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        chat.system([{ type: 'text', text: 'You book flights.' }]),
        chat.system('Answer in Portuguese.'),
        chat.user('Hello.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.system([
          { type: 'text', text: 'You book flights.' },
          { type: 'text', text: 'Answer in Portuguese.' },
        ]),
        chat.user('Hello.'),
      ],
    },
  ],
}
