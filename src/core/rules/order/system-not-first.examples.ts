import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'at the beginning',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'after a user message, where the provider accepts it',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [chat.user('Hello.'), chat.system('Answer in Portuguese.'), chat.user('To Lisbon.')],
    },
  ],
  invalid: [
    {
      name: 'a system message in the middle',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [chat.user('Hello.'), chat.system('You book flights.'), chat.user('To Lisbon.')],
      finds: ['messages[1]'],
      after: [chat.system('You book flights.'), chat.user('Hello.'), chat.user('To Lisbon.')],
    },
    {
      name: 'a system message that is at the beginning already',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        chat.system('You book flights.'),
        chat.user('Hello.'),
        chat.assistant('Where to?'),
        chat.system('You book flights.'),
        chat.user('Lisbon.'),
      ],
      finds: ['messages[3]'],
      after: [chat.system('You book flights.'), chat.user('Hello.'), chat.assistant('Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'after an assistant message',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.system('You book flights.'),
        chat.user('Hello.'),
        chat.assistant('Where to?'),
        chat.system('Answer in Portuguese.'),
        chat.user('Lisbon.'),
      ],
      finds: ['messages[3]'],
      after: [
        chat.system('You book flights.'),
        chat.system('Answer in Portuguese.'),
        chat.user('Hello.'),
        chat.assistant('Where to?'),
        chat.user('Lisbon.'),
      ],
    },
    {
      name: 'a system prompt in a later request of Pydantic AI',
      format: 'pydantic-ai',
      dialect: 'mistral',
      messages: [
        { kind: 'request', parts: [{ content: 'Hello.', part_kind: 'user-prompt' }] },
        { kind: 'response', parts: [{ content: 'Where to?', part_kind: 'text' }] },
        {
          kind: 'request',
          parts: [
            { content: 'Answer in Portuguese.', part_kind: 'system-prompt' },
            { content: 'Lisbon.', part_kind: 'user-prompt' },
          ],
        },
      ],
      finds: ['messages[2].parts[0]'],
      after: [
        { kind: 'request', parts: [{ content: 'Answer in Portuguese.', part_kind: 'system-prompt' }] },
        { kind: 'request', parts: [{ content: 'Hello.', part_kind: 'user-prompt' }] },
        { kind: 'response', parts: [{ content: 'Where to?', part_kind: 'text' }] },
        { kind: 'request', parts: [{ content: 'Lisbon.', part_kind: 'user-prompt' }] },
      ],
    },
    {
      name: 'several notes keep their order',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.user('Hello.'),
        chat.assistant('Where to?'),
        chat.system('Answer in Portuguese.'),
        chat.system('Be brief.'),
        chat.user('Lisbon.'),
      ],
      finds: ['messages[2]', 'messages[3]'],
      after: [
        chat.system('Answer in Portuguese.'),
        chat.system('Be brief.'),
        chat.user('Hello.'),
        chat.assistant('Where to?'),
        chat.user('Lisbon.'),
      ],
    },
  ],
}
