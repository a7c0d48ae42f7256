import type { Examples } from '../example.ts'

const model = 'us.meta.llama4-maverick-17b-instruct-v1:0'
const question = { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] }
const call = { toolUse: { toolUseId: 'call_1', name: 'search_flights', input: { to: 'LIS' } } }
const result = {
  role: 'user',
  content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'TP 1351, 89 EUR' }] } }],
}

export const examples: Examples = {
  valid: [
    {
      name: 'calls alone',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model },
      messages: [question, { role: 'assistant', content: [call] }, result],
    },
    {
      name: 'text beside a call for other models',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [question, { role: 'assistant', content: [{ text: 'Let me look.' }, call] }, result],
    },
  ],
  invalid: [
    {
      name: 'text beside a call for Llama on Bedrock',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model },
      messages: [question, { role: 'assistant', content: [{ text: 'Let me look.' }, call] }, result],
      finds: ['messages[1].content[0]'],
      after: [
        question,
        { role: 'assistant', content: [{ text: 'Let me look.' }] },
        { role: 'user', content: [{ text: '(continue)' }] },
        { role: 'assistant', content: [call] },
        result,
      ],
    },
  ],
}
