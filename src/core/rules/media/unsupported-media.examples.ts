import type { Examples } from '../example.ts'
import { png } from '../example-media.ts'

const request = (content: unknown[]): object => ({ model: 'deepseek-chat', messages: [{ role: 'user', content }] })
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png(10, 10)}` } }
const words = { type: 'text', text: 'What is this?' }

export const examples: Examples = {
  valid: [
    {
      name: 'text alone',
      format: 'openai-chat',
      dialect: 'deepseek',
      request: true,
      messages: request([{ type: 'text', text: 'Hello.' }]),
    },
    {
      name: 'another model, which may accept images',
      format: 'openai-chat',
      dialect: 'deepseek',
      request: true,
      messages: { ...request([image, words]), model: 'deepseek-vl2' },
    },
  ],
  invalid: [
    {
      name: 'an image for a model that accepts text only',
      format: 'openai-chat',
      dialect: 'deepseek',
      request: true,
      messages: request([image, words]),
      finds: ['messages[0].content[0]'],
      after: request([{ type: 'text', text: '[image removed: image/png, 10x10 px, 45 bytes]' }, words]),
    },
  ],
}
