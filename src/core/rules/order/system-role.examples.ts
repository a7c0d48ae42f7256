import type { Examples } from '../example.ts'
import { anthropic, bedrock, chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'user and assistant only',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Hello.'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        anthropic.user('Lisbon.'),
      ],
    },
    {
      name: 'after a user message, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [anthropic.user('Hello.'), { role: 'system', content: 'Answer in Portuguese.' }],
    },
    {
      name: 'between user and assistant, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        anthropic.user('Hello.'),
        { role: 'system', content: 'Answer in Portuguese.' },
        anthropic.assistantBlocks(anthropic.text('Olá. Para onde?')),
        anthropic.user('Lisboa.'),
      ],
    },
    {
      name: 'a message that only changes a setting, where the model accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-5' },
      messages: [
        { role: 'system', content: [], output_config: { effort: 'low' } },
        anthropic.user('Find me a flight to Lisbon.'),
      ],
    },
    {
      name: 'on Bedrock, where the model accepts it',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.anthropic.claude-opus-4-8-v1:0' },
      messages: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        { role: 'system', content: [bedrock.text('Prices are in EUR.')] },
        bedrock.assistant(bedrock.text('TP 1351, 89 EUR.')),
        bedrock.user(bedrock.text('Book it.')),
      ],
    },
  ],
  invalid: [
    {
      name: 'a system prompt in the list',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [{ role: 'system', content: 'You book flights.' }, anthropic.user('Hello.')],
      finds: ['messages[0]'],
      after: [anthropic.user('You book flights.'), anthropic.user('Hello.')],
    },
    {
      name: 'a system note in the middle',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Hello.'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        { role: 'system', content: 'Answer in Portuguese.' },
        anthropic.user('Lisbon.'),
      ],
      finds: ['messages[2]'],
      after: [
        anthropic.user('Hello.'),
        anthropic.assistantBlocks(anthropic.text('Hello. Where to?')),
        anthropic.user('Answer in Portuguese.'),
        anthropic.user('Lisbon.'),
      ],
    },
    {
      name: 'at the beginning, where the model accepts it only later',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [{ role: 'system', content: 'You book flights.' }, anthropic.user('Hello.')],
      finds: ['messages[0]'],
      after: [anthropic.user('You book flights.'), anthropic.user('Hello.')],
    },
    {
      name: 'a system prompt in the list of a request',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        system: 'Be brief.',
        messages: [{ role: 'system', content: 'You book flights.' }, anthropic.user('Hello.')],
      },
      finds: ['messages[0]'],
      after: { system: 'Be brief.\n\nYou book flights.', messages: [anthropic.user('Hello.')] },
    },
    {
      name: 'a field of another format',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: { model: 'gpt-5', system: 'You book flights.', messages: [chat.user('Hello.')] },
      finds: [''],
      after: { model: 'gpt-5', messages: [chat.system('You book flights.'), chat.user('Hello.')] },
    },
    {
      name: 'a message that only changes a setting, for a model without the role',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-sonnet-4-5' },
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        { role: 'system', content: [], output_config: { effort: 'low' } },
      ],
      finds: ['messages[1]'],
      after: [anthropic.user('Find me a flight to Lisbon.')],
    },
  ],
}
