import type { Examples } from '../example.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const request = (...marked: readonly boolean[]): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  system: [{ type: 'text', text: 'Be short.', ...mark }],
  messages: marked.map((isMarked, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${at}.`, ...(isMarked ? mark : {}) }],
  })),
})

export const examples: Examples = {
  valid: [
    {
      name: 'four marks',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(true, true, true),
    },
  ],
  invalid: [
    {
      name: 'a mark on every message: the oldest are removed',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(true, true, true, true, true),
      finds: ['messages[0].content[0]', 'messages[1].content[0]'],
      after: request(false, false, true, true, true),
    },
  ],
}
