import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'thinking before the calls of its step',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'First the log.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' },
          ],
        },
      ],
    },
    {
      name: 'thinking between calls whose results follow',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'First the log.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
            { type: 'thinking', thinking: 'Now the clock.', signature: 'EqQBCgIYAhIN' },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' },
          ],
        },
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
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'First the log.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
            { type: 'thinking', thinking: 'Now the clock.', signature: 'EqQBCgIYAhIN' },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' },
          ],
        },
      ],
      finds: ['messages[1].content[2]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'First the log.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' }],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Now the clock.', signature: 'EqQBCgIYAhIN' },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' }] },
      ],
    },
    {
      name: 'a first step that was never answered',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
            { type: 'thinking', thinking: 'The log is too long. Now the clock.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' }] },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: '[no result] No result of this call was recorded. Whether it ran is not known.',
              is_error: true,
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'The log is too long. Now the clock.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'return new Date()' }] },
      ],
    },
    {
      name: 'two calls with one id, each of which has its result, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } },
            { type: 'thinking', thinking: 'Now the clock.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'return new Date()' },
          ],
        },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Why does the test fail?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'test.log' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'expected 10:00, got 09:00' }],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Now the clock.', signature: 'EqQBCgIYAhIM' },
            { type: 'tool_use', id: 'call_YpLVLqNemg', name: 'read', input: { path: 'clock.ts' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_YpLVLqNemg', content: 'return new Date()' }],
        },
      ],
    },
  ],
}
