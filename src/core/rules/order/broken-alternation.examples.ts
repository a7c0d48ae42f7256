import type { Examples } from '../example.ts'
import { anthropic, bedrock, chat, gemini } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'user and assistant take turns',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [chat.user('Hello.'), chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'two user messages where the provider accepts them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Hello.'), chat.user('To Lisbon, please.')],
    },
    {
      name: 'user content beside results, in one message',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'search_flights', { to: 'LIS' })),
        bedrock.user(
          bedrock.toolResult('tooluse_1', bedrock.text('TP 1351, 89 EUR')),
          bedrock.text('Only direct flights.'),
        ),
      ],
    },
    {
      name: 'two messages of one side without calls, which Gemini accepts',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        gemini.user(gemini.text('A flight to Lisbon.')),
        gemini.user(gemini.text('On Friday.')),
        gemini.model(gemini.text('One moment.')),
        gemini.model(gemini.text('TP 1351, 89 EUR.')),
        gemini.user(gemini.text('Thanks.')),
      ],
    },
  ],
  invalid: [
    {
      name: 'two user messages',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [chat.user('Hello.'), chat.user('To Lisbon, please.')],
      finds: ['messages[1]'],
      after: [chat.user('Hello.\n\nTo Lisbon, please.')],
    },
    {
      name: 'two assistant messages',
      format: 'openai-chat',
      dialect: 'deepseek',
      options: { model: 'deepseek-r1' },
      messages: [chat.user('Hello.'), chat.assistant('Hello.'), chat.assistant('Where to?'), chat.user('Lisbon.')],
      finds: ['messages[2]'],
      after: [chat.user('Hello.'), chat.assistant('Hello.\n\nWhere to?'), chat.user('Lisbon.')],
    },
    {
      name: 'text, and then a call',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.assistant('I look for flights.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.textAndCalls('I look for flights.', chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a string and blocks',
      format: 'anthropic',
      dialect: 'minimax',
      options: { cautious: true },
      messages: [
        anthropic.user('Look at this.'),
        anthropic.userBlocks(
          { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
          anthropic.text('Why?'),
        ),
      ],
      finds: ['messages[1]'],
      after: [
        anthropic.userBlocks(
          anthropic.text('Look at this.'),
          { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
          anthropic.text('Why?'),
        ),
      ],
    },
    {
      name: 'user content after results, in a separate message',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'search_flights', { to: 'LIS' })),
        bedrock.user(bedrock.toolResult('tooluse_1', bedrock.text('TP 1351, 89 EUR'))),
        bedrock.user(bedrock.text('Only direct flights.')),
      ],
      finds: ['messages[3]'],
      after: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'search_flights', { to: 'LIS' })),
        bedrock.user(
          bedrock.toolResult('tooluse_1', bedrock.text('TP 1351, 89 EUR')),
          bedrock.text('Only direct flights.'),
        ),
      ],
    },
    {
      name: 'a call that follows text of the model, for Gemini',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        gemini.user(gemini.text('A flight to Lisbon.')),
        gemini.model(gemini.text('One moment.')),
        gemini.model(gemini.call('search_flights', { to: 'LIS' })),
        gemini.user({ functionResponse: { name: 'search_flights', response: { flight: 'TP 1351' } } }),
      ],
      finds: ['contents[2]'],
      after: [
        gemini.user(gemini.text('A flight to Lisbon.')),
        gemini.model(gemini.text('One moment.'), gemini.call('search_flights', { to: 'LIS' })),
        gemini.user({ functionResponse: { name: 'search_flights', response: { flight: 'TP 1351' } } }),
      ],
    },
  ],
}
