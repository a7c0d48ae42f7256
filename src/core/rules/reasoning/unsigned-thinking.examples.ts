import type { Examples } from '../example.ts'
import { anthropic, bedrock, interactions } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking with its signature',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('The clock is in UTC.', 'EqQBCgIYAhIM'),
          anthropic.text('It compares local time with UTC.'),
        ),
        anthropic.user('Fix it.'),
      ],
    },
    {
      name: 'redacted thinking with its data',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' },
          anthropic.text('It compares local time with UTC.'),
        ),
        anthropic.user('Fix it.'),
      ],
    },
    {
      name: 'reasoning of a model that signs nothing, on Bedrock',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'openai.gpt-oss-120b-1:0' },
      messages: [
        bedrock.user(bedrock.text('Which day is it?')),
        bedrock.assistant(
          { reasoningContent: { reasoningText: bedrock.text('It is Monday.') } },
          bedrock.text('Monday.'),
        ),
        bedrock.user(bedrock.text('Thanks.')),
      ],
    },
  ],
  invalid: [
    {
      name: 'a thought summary without its signature, after a rejection',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      options: { model: 'gemini-2.5-flash', cautious: true },
      messages: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.thought('', { type: 'text', text: 'I have to look.' }),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
      finds: ['input[1]'],
      after: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
    },
    {
      name: 'thinking that lost its signature',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          { type: 'thinking', thinking: 'The clock is in UTC.' },
          anthropic.text('It compares local time with UTC.'),
        ),
        anthropic.user('Fix it.'),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.text('It compares local time with UTC.')),
        anthropic.user('Fix it.'),
      ],
    },
    {
      name: 'only reasoning of another model',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks({ type: 'reasoning', text: 'The clock is in UTC.' }),
        anthropic.user('Well?'),
      ],
      finds: ['messages[1].content[0]'],
      after: [anthropic.user('Why does the test fail?'), anthropic.user('Well?')],
    },
    {
      name: 'thinking in a user message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.userBlocks(
          anthropic.thinking('The clock is in UTC.', 'EqQBCgIYAhIM'),
          anthropic.text('Why does the test fail?'),
        ),
      ],
      finds: ['messages[0].content[0]'],
      after: [anthropic.userBlocks(anthropic.text('Why does the test fail?'))],
    },
    {
      name: 'reasoning for a model that rejects it',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.deepseek.r1-v1:0' },
      messages: [
        bedrock.user(bedrock.text('Which day is it?')),
        bedrock.assistant(
          { reasoningContent: { reasoningText: bedrock.text('It is Monday.') } },
          bedrock.text('Monday.'),
        ),
        bedrock.user(bedrock.text('Thanks.')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        bedrock.user(bedrock.text('Which day is it?')),
        bedrock.assistant(bedrock.text('Monday.')),
        bedrock.user(bedrock.text('Thanks.')),
      ],
    },
  ],
}
