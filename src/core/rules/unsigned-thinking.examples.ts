import type { Examples } from './example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking with its signature',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'The clock is in UTC.', signature: 'EqQBCgIYAhIM' },
            { type: 'text', text: 'It compares local time with UTC.' },
          ],
        },
        { role: 'user', content: 'Fix it.' },
      ],
    },
    {
      name: 'redacted thinking with its data',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' },
            { type: 'text', text: 'It compares local time with UTC.' },
          ],
        },
        { role: 'user', content: 'Fix it.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'thinking that lost its signature',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'The clock is in UTC.' },
            { type: 'text', text: 'It compares local time with UTC.' },
          ],
        },
        { role: 'user', content: 'Fix it.' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        { role: 'assistant', content: [{ type: 'text', text: 'It compares local time with UTC.' }] },
        { role: 'user', content: 'Fix it.' },
      ],
    },
    {
      name: 'reasoning of another model, and nothing else',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        { role: 'assistant', content: [{ type: 'reasoning', text: 'The clock is in UTC.' }] },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'thinking in a user message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'thinking', thinking: 'The clock is in UTC.', signature: 'EqQBCgIYAhIM' },
            { type: 'text', text: 'Why does the test fail?' },
          ],
        },
      ],
      finds: ['messages[0].content[0]'],
      after: [{ role: 'user', content: [{ type: 'text', text: 'Why does the test fail?' }] }],
    },
  ],
}
