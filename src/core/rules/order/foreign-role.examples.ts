import type { Examples } from '../example.ts'
import { chat, gemini } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'developer where it is known',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [{ role: 'developer', content: 'You book flights.' }, chat.user('Hello.')],
    },
    {
      name: 'system',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'a turn without a role, where the provider accepts that',
      format: 'gemini',
      dialect: 'gemini',
      messages: [{ parts: [gemini.text('Hello.')] }],
    },
  ],
  invalid: [
    {
      name: 'assistant, where the format uses model',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        gemini.user(gemini.text('Hello.')),
        { role: 'assistant', parts: [gemini.text('Hello, where to?')] },
        gemini.user(gemini.text('Lisbon.')),
      ],
      finds: ['contents[1]'],
      after: [
        gemini.user(gemini.text('Hello.')),
        gemini.model(gemini.text('Hello, where to?')),
        gemini.user(gemini.text('Lisbon.')),
      ],
    },
    {
      name: 'no role, and an outdated role, where only two are known',
      format: 'gemini',
      dialect: 'vertex',
      messages: [
        { parts: [gemini.text('Which flights are there?')] },
        gemini.model(gemini.call('search', {})),
        { role: 'function', parts: [gemini.response('search', 'None.')] },
      ],
      finds: ['contents[0]', 'contents[2].parts[0]'],
      after: [
        { parts: [gemini.text('Which flights are there?')], role: 'user' },
        gemini.model(gemini.call('search', {})),
        gemini.user(gemini.response('search', 'None.')),
      ],
    },
    {
      name: 'developer where only system is known',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [{ role: 'developer', content: 'You book flights.' }, chat.user('Hello.')],
      finds: ['messages[0]'],
      after: [chat.system('You book flights.'), chat.user('Hello.')],
    },
    {
      name: 'developer, for a chat template',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [{ role: 'developer', content: [{ type: 'text', text: 'You book flights.' }] }, chat.user('Hello.')],
      finds: ['messages[0]'],
      after: [chat.system([{ type: 'text', text: 'You book flights.' }]), chat.user('Hello.')],
    },
  ],
}
