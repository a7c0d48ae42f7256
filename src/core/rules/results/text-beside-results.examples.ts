import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text in the next message',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: 'Only direct flights.' },
      ],
    },
    {
      name: 'text next to results where the provider accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'text', text: 'Only direct flights.' },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'text beside a result',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'text', text: 'Only direct flights.' },
          ],
        },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'user', content: [{ type: 'text', text: 'Only direct flights.' }] },
      ],
    },
    {
      name: 'text beside a result, where the assistant must speak before the user does again',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.meta.llama4-maverick-17b-instruct-v1:0' },
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
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'TP 1351, 89 EUR' }] } }] },
        { role: 'assistant', content: [{ text: '(no reply was recorded)' }] },
        { role: 'user', content: [{ text: 'Only direct flights.' }] },
      ],
    },
  ],
}
