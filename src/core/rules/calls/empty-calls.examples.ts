import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'no list of calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'an empty list where the provider accepts it',
      format: 'openai-chat',
      dialect: 'lenient',
      messages: [chat.user('Hello.'), chat.textAndCalls('Hello. Where to?'), chat.user('Lisbon.')],
    },
  ],
  invalid: [
    {
      name: 'an empty list of calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.textAndCalls('Hello. Where to?'), chat.user('Lisbon.')],
      finds: ['messages[1]'],
      after: [chat.user('Hello.'), chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'an empty list and no text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.textAndCalls(''), chat.user('Is anybody there?')],
      finds: ['messages[1]'],
      after: [chat.user('Hello.'), chat.assistant(''), chat.user('Is anybody there?')],
    },
  ],
}
