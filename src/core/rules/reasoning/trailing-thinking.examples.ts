import type { Examples } from '../example.ts'
import { anthropic } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking, and then an answer',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('The clock is in UTC.', 'EqQBCgIYAhIM'),
          anthropic.text('It compares local time with UTC.'),
        ),
      ],
    },
    {
      name: 'thinking alone, but not at the end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.thinking('The clock is in UTC.', 'EqQBCgIYAhIM')),
        anthropic.user('Well?'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a turn that was cut off after the thinking',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.thinking('The clock is in UTC.', 'EqQBCgIYAhIM')),
      ],
      finds: ['messages[1].content[0]'],
      after: [anthropic.user('Why does the test fail?')],
    },
    {
      name: 'an answer with thinking at its end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.text('It compares local time with UTC.'),
          anthropic.thinking('Or is it the other way round?', 'EqQBCgIYAhIM'),
        ),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.text('It compares local time with UTC.')),
      ],
    },
  ],
}
