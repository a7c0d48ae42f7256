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
      name: 'thinking of an earlier turn',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'disabled' },
        tools,
        messages: [
          question,
          { role: 'assistant', content: [thought, call] },
          result,
          { role: 'assistant', content: 'TP 1351.' },
          { role: 'user', content: 'Thanks.' },
        ],
      },
    },
    {
      name: 'thinking is not set, and the model decides by itself',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        model: 'claude-opus-4-8',
        tools,
        messages: [question, { role: 'assistant', content: [thought, call] }, result],
      },
    },
  ],
  invalid: [
    {
      name: 'thinking was switched off while the tool ran',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        thinking: { type: 'disabled' },
        tools,
        messages: [question, { role: 'assistant', content: [thought, call] }, result],
      },
      finds: ['messages[1].content[0]'],
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
        tools,
        messages: [question, { role: 'assistant', content: [thought, call] }, noted],
      },
      finds: ['messages[1].content[0]'],
      after: {
        tools,
        messages: [question, { role: 'assistant', content: [call] }, noted],
      },
    },
  ],
}
