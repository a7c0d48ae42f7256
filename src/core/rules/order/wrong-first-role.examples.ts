import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the user first',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Hello.'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        anthropic.user('Lisbon.'),
      ],
    },
    {
      name: 'a greeting, where only a call must not be first',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'a summary of earlier turns, as the provider made it',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.assistantBlocks({ type: 'compaction', content: 'A trip to Lisbon.', signature: 'EuYBCkQY' }),
        anthropic.assistant('TP 1351 leaves at 10:00.'),
        anthropic.user('Book it.'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a greeting',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [anthropic.assistantBlocks(anthropic.text('Hello. Where to?')), anthropic.user('Lisbon.')],
      finds: ['messages[0]'],
      after: [
        anthropic.user('(continue)'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        anthropic.user('Lisbon.'),
      ],
    },
    {
      name: 'a history whose beginning was cut off',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[0]'],
      after: [
        chat.user('(continue)'),
        chat.calls(chat.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}')),
        chat.result('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a call after text, in items',
      format: 'openai-responses',
      dialect: 'mistral',
      messages: [
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}'),
        responses.output('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[0]'],
      after: [
        responses.message('user', [{ type: 'input_text', text: '(continue)' }]),
        responses.message('assistant', [{ type: 'output_text', text: 'I look for flights.', annotations: [] }]),
        responses.call('a1B2c3D4e', 'search_flights', '{"to":"LIS"}'),
        responses.output('a1B2c3D4e', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'after the system message',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [chat.system('You book flights.'), chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
      finds: ['messages[1]'],
      after: [
        chat.system('You book flights.'),
        chat.user('(continue)'),
        chat.assistant('Hello. Where to?'),
        chat.user('Lisbon.'),
      ],
    },
  ],
}
