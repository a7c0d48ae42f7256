import type { Examples } from '../example.ts'
import { bedrockDocument, converse } from '../example-media.ts'

const words = { text: 'Sum up.' }
const claude = 'anthropic.claude-opus-4-8'

export const examples: Examples = {
  valid: [
    {
      name: 'each name once',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(claude, bedrockDocument('report'), bedrockDocument('letter'), words),
    },
  ],
  invalid: [
    {
      name: 'a file that was attached twice',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(
        claude,
        bedrockDocument('report'),
        bedrockDocument('report'),
        bedrockDocument('report-2'),
        words,
      ),
      finds: ['messages[0].content[1]'],
      after: converse(
        claude,
        bedrockDocument('report'),
        bedrockDocument('report-3'),
        bedrockDocument('report-2'),
        words,
      ),
    },
  ],
}
