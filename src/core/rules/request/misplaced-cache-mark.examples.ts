import type { Examples } from '../example.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const thought = { type: 'thinking', thinking: 'A greeting.', signature: 'EqQBCkYIARgCKkA=' }
const request = (thinking: object, answer: object, ...asked: object[]): object => ({
  model: 'claude-opus-4-5',
  max_tokens: 4096,
  thinking: { type: 'enabled', budget_tokens: 2048 },
  messages: [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: [thinking, answer] },
    { role: 'user', content: asked },
  ],
})
const answer = { type: 'text', text: 'Hello!' }
const question = { type: 'text', text: 'How are you?' }

export const examples: Examples = {
  valid: [
    {
      name: 'a mark on words',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(thought, { ...answer, ...mark }, question),
    },
  ],
  invalid: [
    {
      name: 'a mark on thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request({ ...thought, ...mark }, answer, question),
      finds: ['messages[1].content[0]'],
      after: request(thought, answer, question),
    },
    {
      name: 'a mark on an empty text, which is removed as well',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(thought, answer, question, { type: 'text', text: '', ...mark }),
      finds: ['messages[2].content[1]'],
      after: request(thought, answer, { ...question, ...mark }),
    },
  ],
}
