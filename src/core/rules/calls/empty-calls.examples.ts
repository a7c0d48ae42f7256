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
    {
      name: 'a program that writes the list into every message',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { ...chat.user('Where to?'), tool_calls: [] },
        chat.calls(chat.call('call_1', 'search', '{}')),
        { ...chat.result('call_1', 'Lisbon.'), tool_calls: [] },
      ],
      finds: ['messages[0]', 'messages[2]'],
      after: [
        chat.user('Where to?'),
        chat.calls(chat.call('call_1', 'search', '{}')),
        chat.result('call_1', 'Lisbon.'),
      ],
    },
  ],
}
