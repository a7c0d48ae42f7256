import type { Examples } from '../example.ts'

const question = { role: 'user', content: 'Write a poem about my neighbour.' }
const refusal = { role: 'assistant', content: null, refusal: 'I cannot help with that.' }
const next = { role: 'user', content: 'Then about my garden.' }

export const examples: Examples = {
  valid: [
    { name: 'a refusal for OpenAI', format: 'openai-chat', dialect: 'openai', messages: [question, refusal, next] },
    {
      name: 'a refusal beside content',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [question, { role: 'assistant', content: 'No.', refusal: 'I cannot help with that.' }, next],
    },
  ],
  invalid: [
    {
      name: 'a refusal for another provider',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [question, refusal, next],
      finds: ['messages[1].refusal'],
      after: [question, { role: 'assistant', content: 'I cannot help with that.' }, next],
    },
    {
      name: 'a refusal as a block of content',
      format: 'openai-chat',
      dialect: 'xai',
      messages: [
        question,
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] },
        next,
      ],
      finds: ['messages[1].content[0]'],
      after: [question, { role: 'assistant', content: 'I cannot help with that.' }, next],
    },
  ],
}
