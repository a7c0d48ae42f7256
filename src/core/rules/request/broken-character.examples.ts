import type { Examples } from '../example.ts'
import { request, text } from '../example-media.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a whole character',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(text('Done 😀')),
    },
    {
      name: 'a provider that is not known to reject it',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: { model: 'gpt-5.2', messages: [{ role: 'user', content: 'Done \ud83d' }] },
    },
  ],
  invalid: [
    {
      name: 'a text that was cut within an emoji',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(text('Done \ud83d')),
      finds: ['messages[0].content[0].text'],
      after: request(text('Done \ufffd')),
    },
  ],
}
