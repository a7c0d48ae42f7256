import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'user and assistant take turns',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello. Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'two user messages where the provider accepts them',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: 'To Lisbon, please.' },
      ],
    },
    {
      name: 'user content beside results, in one message',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'TP 1351, 89 EUR' }] } },
            { text: 'Only direct flights.' },
          ],
        },
      ],
    },
    {
      name: 'two messages of one side without calls, which Gemini accepts',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'A flight to Lisbon.' }] },
        { role: 'user', parts: [{ text: 'On Friday.' }] },
        { role: 'model', parts: [{ text: 'One moment.' }] },
        { role: 'model', parts: [{ text: 'TP 1351, 89 EUR.' }] },
        { role: 'user', parts: [{ text: 'Thanks.' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'two user messages',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: 'To Lisbon, please.' },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Hello.\n\nTo Lisbon, please.' }],
    },
    {
      name: 'two assistant messages',
      format: 'openai-chat',
      dialect: 'deepseek',
      options: { model: 'deepseek-r1' },
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello.\n\nWhere to?' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'text, and then a call',
      format: 'openai-chat',
      dialect: 'gemma-template',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: 'I look for flights.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: 'I look for flights.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a string and blocks',
      format: 'anthropic',
      dialect: 'minimax',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Look at this.' },
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
            { type: 'text', text: 'Why?' },
          ],
        },
      ],
      finds: ['messages[1]'],
      after: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look at this.' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/error.png' } },
            { type: 'text', text: 'Why?' },
          ],
        },
      ],
    },
    {
      name: 'user content after results, in a separate message',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'TP 1351, 89 EUR' }] } }] },
        { role: 'user', content: [{ text: 'Only direct flights.' }] },
      ],
      finds: ['messages[3]'],
      after: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'TP 1351, 89 EUR' }] } },
            { text: 'Only direct flights.' },
          ],
        },
      ],
    },
    {
      name: 'a call that follows text of the model, for Gemini',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        { role: 'user', parts: [{ text: 'A flight to Lisbon.' }] },
        { role: 'model', parts: [{ text: 'One moment.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'search_flights', args: { to: 'LIS' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'search_flights', response: { flight: 'TP 1351' } } }] },
      ],
      finds: ['contents[2]'],
      after: [
        { role: 'user', parts: [{ text: 'A flight to Lisbon.' }] },
        {
          role: 'model',
          parts: [{ text: 'One moment.' }, { functionCall: { name: 'search_flights', args: { to: 'LIS' } } }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'search_flights', response: { flight: 'TP 1351' } } }] },
      ],
    },
  ],
}
