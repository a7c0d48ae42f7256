import type { Examples } from '../example.ts'

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
    {
      name: 'reasoning of a model that signs nothing, on Bedrock',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'openai.gpt-oss-120b-1:0' },
      messages: [
        { role: 'user', content: [{ text: 'Which day is it?' }] },
        {
          role: 'assistant',
          content: [{ reasoningContent: { reasoningText: { text: 'It is Monday.' } } }, { text: 'Monday.' }],
        },
        { role: 'user', content: [{ text: 'Thanks.' }] },
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
    {
      name: 'reasoning for a model that rejects it',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.deepseek.r1-v1:0' },
      messages: [
        { role: 'user', content: [{ text: 'Which day is it?' }] },
        {
          role: 'assistant',
          content: [{ reasoningContent: { reasoningText: { text: 'It is Monday.' } } }, { text: 'Monday.' }],
        },
        { role: 'user', content: [{ text: 'Thanks.' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: [{ text: 'Which day is it?' }] },
        { role: 'assistant', content: [{ text: 'Monday.' }] },
        { role: 'user', content: [{ text: 'Thanks.' }] },
      ],
    },
  ],
}
