import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'user and assistant only',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'after a user message, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'system', content: 'Answer in Portuguese.' },
      ],
    },
    {
      name: 'between user and assistant, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Olá. Para onde?' }] },
        { role: 'user', content: 'Lisboa.' },
      ],
    },
    {
      name: 'a message that only changes a setting, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-5' },
      messages: [
        { role: 'system', content: [], output_config: { effort: 'low' } },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
      ],
    },
    {
      name: 'on Bedrock, where the model accepts it',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.anthropic.claude-opus-4-8-v1:0' },
      messages: [
        { role: 'user', content: [{ text: 'Find me a flight to Lisbon.' }] },
        { role: 'system', content: [{ text: 'Prices are in EUR.' }] },
        { role: 'assistant', content: [{ text: 'TP 1351, 89 EUR.' }] },
        { role: 'user', content: [{ text: 'Book it.' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'a system prompt in the list',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'user', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'a system note in the middle',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'system', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Lisbon.' },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello. Where to?' }] },
        { role: 'user', content: 'Answer in Portuguese.' },
        { role: 'user', content: 'Lisbon.' },
      ],
    },
    {
      name: 'at the beginning, where the model accepts it only later',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
      finds: ['messages[0]'],
      after: [
        { role: 'user', content: 'You book flights.' },
        { role: 'user', content: 'Hello.' },
      ],
    },
    {
      name: 'a system prompt in the list of a request',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        system: 'Be brief.',
        messages: [
          { role: 'system', content: 'You book flights.' },
          { role: 'user', content: 'Hello.' },
        ],
      },
      finds: ['messages[0]'],
      after: { system: 'Be brief.\n\nYou book flights.', messages: [{ role: 'user', content: 'Hello.' }] },
    },
    {
      name: 'a field of another format',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: { model: 'gpt-5', system: 'You book flights.', messages: [{ role: 'user', content: 'Hello.' }] },
      finds: [''],
      after: {
        model: 'gpt-5',
        messages: [
          { role: 'system', content: 'You book flights.' },
          { role: 'user', content: 'Hello.' },
        ],
      },
    },
    {
      name: 'a message that only sets something, for a model without the role',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-sonnet-4-5' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'system', content: [], output_config: { effort: 'low' } },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Find me a flight to Lisbon.' }],
    },
  ],
}
