import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking, and then an answer',
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
      ],
    },
    {
      name: 'thinking alone, but not at the end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'The clock is in UTC.', signature: 'EqQBCgIYAhIM' }],
        },
        { role: 'user', content: 'Well?' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a turn that was cut off after the thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'The clock is in UTC.', signature: 'EqQBCgIYAhIM' }],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [{ role: 'user', content: 'Why does the test fail?' }],
    },
    {
      name: 'an answer that went on thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'It compares local time with UTC.' },
            { type: 'thinking', thinking: 'Or is it the other way round?', signature: 'EqQBCgIYAhIM' },
          ],
        },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        { role: 'assistant', content: [{ type: 'text', text: 'It compares local time with UTC.' }] },
      ],
    },
  ],
}
