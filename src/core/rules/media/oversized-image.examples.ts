import type { Examples } from '../example.ts'
import { image, png, request, text } from '../example-media.ts'

const loop = (content: unknown[]): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Look at the page.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ],
})

export const examples: Examples = {
  valid: [
    {
      name: 'an image of the maximum size',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(png(8000, 10)), text('What is this?')),
    },
    {
      name: 'a provider without this limit',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: {
        model: 'gpt-5.2',
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png(12_000, 10)}` } }],
          },
        ],
      },
    },
  ],
  invalid: [
    {
      name: 'a screenshot of a whole page',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(png(1440, 12_000)), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(text('[image removed: image/png, 1440x12000 px, 45 bytes]'), text('What is this?')),
    },
    {
      name: 'inside a result, next to a smaller one',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: loop([image(png(100, 100)), image(png(9000, 9000))]),
      finds: ['messages[2].content[0].content[1]'],
      after: loop([image(png(100, 100)), text('[image removed: image/png, 9000x9000 px, 45 bytes]')]),
    },
    {
      name: 'an image that is too small',
      format: 'openai-chat',
      dialect: 'qwen',
      request: true,
      messages: {
        model: 'qwen3-vl-plus',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: `data:image/png;base64,${png(10, 40)}` } },
              text('What is this?'),
            ],
          },
        ],
      },
      finds: ['messages[0].content[0]'],
      after: {
        model: 'qwen3-vl-plus',
        messages: [
          { role: 'user', content: [text('[image removed: image/png, 10x40 px, 45 bytes]'), text('What is this?')] },
        ],
      },
    },
  ],
}
