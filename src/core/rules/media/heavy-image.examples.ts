import type { Examples } from '../example.ts'
import { bedrockImage, converse, png } from '../example-media.ts'

const words = { text: 'What is this?' }

/** An image that is so long as base64: bytes after its end are not read. */
const padded = (length: number): string => png(100, 100).padEnd(length, 'A')

export const examples: Examples = {
  valid: [
    {
      name: 'an image of the maximum length',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse('anthropic.claude-opus-4-8', bedrockImage(padded(5_242_880)), words),
    },
  ],
  invalid: [
    {
      name: 'an image of 4 MB',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse('anthropic.claude-opus-4-8', bedrockImage(padded(5_592_408)), words),
      finds: ['messages[0].content[0]'],
      after: converse('anthropic.claude-opus-4-8', { text: '[image removed: image/png, 100x100 px, 4.0 MB]' }, words),
    },
  ],
}
