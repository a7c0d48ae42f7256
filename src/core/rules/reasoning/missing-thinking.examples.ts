import type { Examples } from '../example.ts'

const question = { role: 'user', content: 'Find me a flight to Lisbon.' }
const call = { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] }
const noted = { role: 'user', content: [...result.content, { type: 'text', text: 'Only in the morning.' }] }
const tools = [{ name: 'search_flights', input_schema: { type: 'object' } }]
const thought = { type: 'thinking', thinking: 'TAP flies there.', signature: 'EqQBCg' }

export const examples: Examples = {
  valid: [
    {
      name: 'the open step begins with thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools,
        messages: [question, { role: 'assistant', content: [thought, call] }, result],
      },
    },
    {
      name: 'the model thought once, before its first step',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools,
        messages: [
          question,
          { role: 'assistant', content: [thought, call] },
          result,
          { role: 'assistant', content: [{ ...call, id: 'toolu_2' }] },
          { role: 'user', content: [{ ...result.content[0], tool_use_id: 'toolu_2' }] },
        ],
      },
    },
    {
      name: 'an earlier turn without thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools,
        messages: [
          question,
          { role: 'assistant', content: [call] },
          result,
          { role: 'assistant', content: 'TP 1351.' },
          { role: 'user', content: 'Thanks.' },
        ],
      },
    },
  ],
  invalid: [
    {
      name: 'a proxy lost the thinking of the open step',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools,
        messages: [question, { role: 'assistant', content: [call] }, result],
      },
      finds: ['messages[1]'],
      after: {
        thinking: { type: 'disabled' },
        tools,
        messages: [question, { role: 'assistant', content: [call] }, result],
      },
    },
    {
      name: 'text next to the result does not end the turn',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools,
        messages: [question, { role: 'assistant', content: [call] }, noted],
      },
      finds: ['messages[1]'],
      after: {
        thinking: { type: 'disabled' },
        tools,
        messages: [question, { role: 'assistant', content: [call] }, noted],
      },
    },
  ],
}
