import type { Examples } from '../example.ts'
import { converse, paper } from '../example-media.ts'

const words = { text: 'Sum up.' }
const claude = 'anthropic.claude-opus-4-8'

export const examples: Examples = {
  valid: [
    {
      name: 'each name once',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(claude, paper('report'), paper('letter'), words),
    },
  ],
  invalid: [
    {
      name: 'a file that was attached twice',
      format: 'bedrock',
      dialect: 'bedrock',
      request: true,
      messages: converse(claude, paper('report'), paper('report'), paper('report-2'), words),
      finds: ['messages[0].content[1]'],
      after: converse(claude, paper('report'), paper('report-3'), paper('report-2'), words),
    },
  ],
}
