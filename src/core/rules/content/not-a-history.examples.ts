import type { Examples } from '../example.ts'
import { chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a list of messages',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Find me a flight to Lisbon.')],
    },
    { name: 'an empty list', format: 'openai-chat', dialect: 'openai', messages: [] },
  ],
  invalid: [
    {
      name: 'a whole request instead of its messages',
      format: 'openai-chat',
      dialect: 'openai',
      messages: { model: 'gpt-5', messages: [chat.user('Find me a flight to Lisbon.')] },
      finds: [''],
      after: { model: 'gpt-5', messages: [chat.user('Find me a flight to Lisbon.')] },
    },
    {
      name: 'a history that is still JSON text',
      format: 'openai-chat',
      dialect: 'openai',
      messages: '[{"role":"user","content":"Find me a flight to Lisbon."}]',
      finds: [''],
      after: '[{"role":"user","content":"Find me a flight to Lisbon."}]',
    },
    {
      name: 'a thread that the store did not find',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: null,
      finds: [''],
      after: null,
    },
  ],
}
