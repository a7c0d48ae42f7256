import type { Examples } from '../example.ts'

const history = [
  { role: 'user', content: 'Find me a flight to Lisbon.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
]

export const examples: Examples = {
  valid: [
    {
      name: 'the request declares tools, if not all of them',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        model: 'claude-opus-4-5',
        max_tokens: 1024,
        tools: [{ name: 'search_hotels', input_schema: { type: 'object' } }],
        messages: history,
      },
    },
    {
      name: 'no calls and no tools',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: { model: 'claude-opus-4-5', max_tokens: 1024, messages: [{ role: 'user', content: 'Hello.' }] },
    },
    {
      name: 'a provider that accepts it',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: {
        model: 'gpt-5',
        messages: [
          { role: 'user', content: 'Find me a flight to Lisbon.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        ],
      },
    },
  ],
  invalid: [
    {
      name: 'a summary asked without tools',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        model: 'claude-opus-4-5',
        max_tokens: 1024,
        messages: [...history, { role: 'user', content: 'Sum up.' }],
      },
      finds: ['messages[1].content[0]'],
      after: {
        model: 'claude-opus-4-5',
        max_tokens: 1024,
        messages: [...history, { role: 'user', content: 'Sum up.' }],
        tools: [{ name: 'search_flights', input_schema: { type: 'object' } }],
        tool_choice: { type: 'none' },
      },
    },
  ],
}
