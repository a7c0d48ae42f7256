import type { Examples } from '../example.ts'
import { anthropic } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking before the calls of its step',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('First the log.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00'),
          anthropic.toolResult('toolu_2', 'return new Date()'),
        ),
      ],
    },
    {
      name: 'thinking between calls whose results follow',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('First the log.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
          anthropic.thinking('Now the clock.', 'EqQBCgIYAhIN'),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00'),
          anthropic.toolResult('toolu_2', 'return new Date()'),
        ),
      ],
    },
  ],
  invalid: [
    {
      name: 'two steps in one message, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('First the log.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
          anthropic.thinking('Now the clock.', 'EqQBCgIYAhIN'),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00'),
          anthropic.toolResult('toolu_2', 'return new Date()'),
        ),
      ],
      finds: ['messages[1].content[2]'],
      after: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.thinking('First the log.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00')),
        anthropic.assistantBlocks(
          anthropic.thinking('Now the clock.', 'EqQBCgIYAhIN'),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'return new Date()')),
      ],
    },
    {
      name: 'two steps in one message, the first without a result',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
          anthropic.thinking('The log is too long. Now the clock.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'return new Date()')),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'read', { path: 'test.log' })),
        anthropic.userBlocks({
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: '[no result] No result of this call was recorded. Whether it ran is not known.',
          is_error: true,
        }),
        anthropic.assistantBlocks(
          anthropic.thinking('The log is too long. Now the clock.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_2', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'return new Date()')),
      ],
    },
    {
      name: 'two calls with one id, each with its result, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'read', { path: 'test.log' }),
          anthropic.thinking('Now the clock.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('toolu_1', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00'),
          anthropic.toolResult('toolu_1', 'return new Date()'),
        ),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Why does the test fail?'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'read', { path: 'test.log' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'expected 10:00, got 09:00')),
        anthropic.assistantBlocks(
          anthropic.thinking('Now the clock.', 'EqQBCgIYAhIM'),
          anthropic.toolUse('call_YpLVLqNemg', 'read', { path: 'clock.ts' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('call_YpLVLqNemg', 'return new Date()')),
      ],
    },
  ],
}
