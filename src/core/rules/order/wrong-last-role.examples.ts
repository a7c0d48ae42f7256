import type { Examples } from '../example.ts'
import { anthropic, chat, gemini } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the user at the end',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [chat.user('Hello.'), chat.assistant('Hello. Where to?'), chat.user('Lisbon.')],
    },
    {
      name: 'a prefix that the model continues',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [chat.user('Hello.'), { role: 'assistant', content: 'Hello. Where', prefix: true }],
    },
    {
      name: 'a stored history',
      format: 'openai-chat',
      dialect: 'mistral',
      options: { pending: 'keep' },
      messages: [chat.user('Hello.'), chat.assistant('Hello. Where to?')],
    },
    {
      name: 'a turn that is paused',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-6' },
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' })),
      ],
    },
    {
      name: 'a request for a summary',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        model: 'claude-opus-5',
        max_tokens: 4096,
        compaction: { type: 'summarize' },
        messages: [anthropic.user('Find me a flight to Lisbon.'), anthropic.assistant('TP 1351 leaves at 10:00.')],
      },
    },
    {
      name: 'text for the model to continue',
      format: 'gemini',
      dialect: 'gemini',
      messages: [gemini.user(gemini.text('Answer in JSON.')), gemini.model(gemini.text('{'))],
    },
  ],
  invalid: [
    {
      name: 'the assistant at the end',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [chat.user('Hello.'), chat.assistant('Hello. Where to?')],
      finds: ['messages[1]'],
      after: [chat.user('Hello.'), chat.assistant('Hello. Where to?'), chat.user('(continue)')],
    },
    {
      name: 'the assistant at the end, for a model that does not continue it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-6' },
      messages: [anthropic.user('Hello.'), anthropic.assistantBlocks(anthropic.text('Hello. Where to?'))],
      finds: ['messages[1]'],
      after: [
        anthropic.user('Hello.'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        anthropic.user('(continue)'),
      ],
    },
  ],
}
