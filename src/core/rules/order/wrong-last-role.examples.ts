import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the user at the end',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'a prefix that the model goes on with',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where', prefix: true },
      ],
    },
    {
      name: 'a stored history',
      format: 'openai-chat',
      dialect: 'mistral',
      options: { pending: 'keep' },
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
      ],
    },
    {
      name: 'a turn that is paused',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-6' },
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
          ],
        },
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
        messages: [
          { role: 'user', content: 'Find me a flight to Lisbon.' },
          { role: 'assistant', content: 'TP 1351 leaves at 10:00.' },
        ],
      },
    },
    {
      name: 'text for the model to continue',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'Answer in JSON.' }] },
        { role: 'model', parts: [{ text: '{' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'the assistant at the end',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: '(continue)' },
      ],
    },
    {
      name: 'the assistant at the end, for a model that goes on with nothing',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-6' },
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: '(continue)' },
      ],
    },
  ],
}
