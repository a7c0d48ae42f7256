import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'developer where it is known',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'developer', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'system',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'a turn that does not say whose it is, where that is tolerated',
      format: 'gemini',
      dialect: 'gemini',
      messages: [{ parts: [{ text: 'Hello.' }] }],
    },
  ],
  invalid: [
    {
      name: 'assistant, where the format uses model',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'Hello.' }] },
        { role: 'assistant', parts: [{ text: 'Hello, where to?' }] },
        { role: 'user', parts: [{ text: 'Lisbon.' }] },
      ],
      finds: ['contents[1]'],
      after: [
        { role: 'user', parts: [{ text: 'Hello.' }] },
        { role: 'model', parts: [{ text: 'Hello, where to?' }] },
        { role: 'user', parts: [{ text: 'Lisbon.' }] },
      ],
    },
    {
      name: 'no role, and one of old, where only two are known',
      format: 'gemini',
      dialect: 'vertex',
      messages: [
        { parts: [{ text: 'Which flights are there?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'search', args: {} } }] },
        { role: 'function', parts: [{ functionResponse: { name: 'search', response: { output: 'None.' } } }] },
      ],
      finds: ['contents[0]', 'contents[2].parts[0]'],
      after: [
        { parts: [{ text: 'Which flights are there?' }], role: 'user' },
        { role: 'model', parts: [{ functionCall: { name: 'search', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'search', response: { output: 'None.' } } }] },
      ],
    },
    {
      name: 'developer where only system is known',
      format: 'openai-chat',
      dialect: 'qwen',
      messages: [
        { role: 'developer', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'developer, for a chat template',
      format: 'openai-chat',
      dialect: 'qwen-template',
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'You book flights.' }] },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'system', content: [{ type: 'text', text: 'You book flights.' }] },
        { role: 'user', content: 'Hello.' },
      ],
    },
  ],
}
