import type { Examples } from '../example.ts'
import { anthropic, bedrock } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text in a block',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [bedrock.user(bedrock.text('Find me a flight to Lisbon.'))],
    },
    {
      name: 'a format that allows both',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [anthropic.user('Find me a flight to Lisbon.')],
    },
  ],
  invalid: [
    {
      name: 'bare texts on both sides',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        bedrock.assistant(bedrock.toolUse('t1', 'search_flights', { to: 'LIS' })),
        bedrock.user(bedrock.toolResult('t1', bedrock.text('TP 1351, 89 EUR'))),
        { role: 'assistant', content: 'TP 1351 is 89 EUR.' },
        bedrock.user(bedrock.text('Book it.')),
      ],
      finds: ['messages[0]', 'messages[3]'],
      after: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('t1', 'search_flights', { to: 'LIS' })),
        bedrock.user(bedrock.toolResult('t1', bedrock.text('TP 1351, 89 EUR'))),
        bedrock.assistant(bedrock.text('TP 1351 is 89 EUR.')),
        bedrock.user(bedrock.text('Book it.')),
      ],
    },
  ],
}
