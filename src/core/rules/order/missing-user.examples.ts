import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a user message',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'a stored history',
      format: 'openai-chat',
      dialect: 'qwen',
      options: { pending: 'keep' },
      messages: [chat.system('You book flights.'), chat.assistant('Hello. Where to?')],
    },
  ],
  invalid: [
    {
      name: 'system messages alone, where the system prompt is a separate field',
      format: 'openai-chat',
      dialect: 'anthropic',
      messages: [chat.system('You book flights.')],
      finds: ['messages[0]'],
      after: [chat.system('You book flights.'), chat.user('(continue)')],
    },
    {
      name: 'a system prompt alone',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [chat.system('You book flights.')],
      finds: ['messages[0]'],
      after: [chat.system('You book flights.'), chat.user('(continue)')],
    },
    {
      name: 'a history that was cut',
      format: 'openai-chat',
      dialect: 'glm',
      messages: [
        chat.system('You book flights.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.system('You book flights.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.user('(continue)'),
      ],
    },
  ],
}
