import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text in a block',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [{ role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] }],
    },
    {
      name: 'a format that allows both',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [{ role: 'user', content: 'Find me a flight to Lisbon.' }],
    },
  ],
  invalid: [
    {
      name: 'bare texts on both sides',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 't1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'TP 1351, 89 EUR' }] } }] },
        { role: 'assistant', content: 'TP 1351 is 89 EUR.' },
        { role: 'user', content: [{ text: 'Book it.' }] },
      ],
      finds: ['messages[0]', 'messages[3]'],
      after: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 't1', name: 'search_flights', input: { to: 'LIS' } } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'TP 1351, 89 EUR' }] } }] },
        { role: 'assistant', content: [{ text: 'TP 1351 is 89 EUR.' }] },
        { role: 'user', content: [{ text: 'Book it.' }] },
      ],
    },
  ],
}
