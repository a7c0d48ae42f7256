import type { Examples } from '../example.ts'
import { bedrockDocument, bedrockImage, converse, png } from '../example-media.ts'

const words = { text: 'Sum up.' }
const claude = 'anthropic.claude-opus-4-8'
const llama = 'us.meta.llama3-2-90b-instruct-v1:0'

export const examples: Examples = {
  valid: [
    {
      name: 'five documents',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(claude, ...['a', 'b', 'c', 'd', 'e'].map(bedrockDocument), words),
    },
    {
      name: 'one image, where the provider accepts one',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(llama, bedrockImage(png(10, 10)), words),
    },
  ],
  invalid: [
    {
      name: 'six documents: the oldest',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(claude, ...['a', 'b', 'c', 'd', 'e', 'f'].map(bedrockDocument), words),
      finds: ['messages[0].content[0]'],
      after: converse(
        claude,
        { text: '[document removed: a, application/txt, 5 bytes]' },
        ...['b', 'c', 'd', 'e', 'f'].map(bedrockDocument),
        words,
      ),
    },
    {
      name: 'two images, where the provider accepts one',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(llama, bedrockImage(png(10, 10)), bedrockImage(png(20, 20)), words),
      finds: ['messages[0].content[0]'],
      after: converse(
        llama,
        { text: '[image removed: image/png, 10x10 px, 45 bytes]' },
        bedrockImage(png(20, 20)),
        words,
      ),
    },
  ],
}
