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

const point = { cachePoint: { type: 'default' } }

const points = (isMarked: boolean): object => ({
  modelId: 'anthropic.claude-opus-4-8',
  system: [{ text: 'Be short.' }, point],
  toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: {} } } }, point] },
  messages: [
    { role: 'user', content: [{ text: 'Look.' }, ...(isMarked ? [point] : [])] },
    { role: 'assistant', content: [{ text: 'I see.' }, point] },
    { role: 'user', content: [{ text: 'Again.' }, point] },
  ],
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
    {
      name: 'cache points of Bedrock',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: points(true),
      finds: ['messages[0].content[1]'],
      after: points(false),
    },
  ],
}
