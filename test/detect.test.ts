import { expect, test } from 'vitest'
import { check, detect } from '../src/index.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } }
const use = { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }

test.each([
  [
    'an Anthropic response that was stored whole',
    'anthropic',
    [
      { role: 'user', content: 'q' },
      { id: 'msg_1', type: 'message', role: 'assistant', content: [use], stop_reason: 'tool_use', usage: {} },
      { role: 'user', content: 'hello?' },
    ],
  ],
  [
    'chat messages with a type',
    'openai-chat',
    [
      { type: 'message', role: 'user', content: 'q' },
      { type: 'message', role: 'assistant', content: null, tool_calls: [call] },
      { type: 'message', role: 'user', content: 'z' },
    ],
  ],
  [
    'Responses messages of plain text',
    'openai-responses',
    [
      { type: 'message', role: 'user', content: 'q' },
      { type: 'message', role: 'assistant', content: 'a' },
    ],
  ],
  [
    'plain text that fits all',
    'openai-chat',
    [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ],
  ],
])('[K5] %s', (_, codec, history) => {
  expect(detect(history)).toBe(codec)
})

test('[K5] a call is found in each of them', () => {
  const stored = [
    { role: 'user', content: 'q' },
    { id: 'msg_1', type: 'message', role: 'assistant', content: [use], stop_reason: 'tool_use' },
  ]
  expect(check(stored).map(({ rule }) => rule)).toEqual(['unanswered-call'])
  const typed = [
    { type: 'message', role: 'user', content: 'q' },
    { type: 'message', role: 'assistant', content: null, tool_calls: [call] },
  ]
  expect(check(typed).map(({ rule }) => rule)).toEqual(['unanswered-call'])
})

test('[K5] what fits several is read as the home of the reader that is named', () => {
  expect(
    check(
      [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a ' },
      ],
      { for: 'anthropic' },
    ).map(({ rule }) => rule),
  ).toEqual(['trailing-space'])
})
