import { describe, expect, test } from 'vitest'
import { check, detect, heal, repair } from '../../src/index.ts'

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
    'AG-UI messages as JavaScript spells them',
    'ag-ui',
    [
      { id: 'm1', role: 'user', content: 'q' },
      { id: 'm2', role: 'assistant', toolCalls: [call] },
    ],
  ],
  [
    'AG-UI messages as Python stores them',
    'ag-ui',
    [
      { id: 'm1', role: 'user', content: 'q', name: null },
      { id: 'm2', role: 'assistant', content: null, tool_calls: [call] },
      { id: 'm3', role: 'tool', content: 'sunny', tool_call_id: 'call_1', error: null },
    ],
  ],
  [
    'an AG-UI message that shows an image',
    'ag-ui',
    [{ id: 'm1', role: 'user', content: [{ type: 'image', source: { type: 'url', value: 'https://example.test/' } }] }],
  ],
  [
    'reasoning of AG-UI beside plain text',
    'ag-ui',
    [
      { id: 'm1', role: 'user', content: 'q' },
      { id: 'm2', role: 'reasoning', content: 'hm' },
    ],
  ],
  [
    'chat messages of which only those of the assistant were stored with their ids',
    'openai-chat',
    [
      { role: 'user', content: 'q' },
      { id: 'chatcmpl-1', role: 'assistant', content: null, tool_calls: [call] },
      { id: 'chatcmpl-2', role: 'assistant', content: 'a' },
    ],
  ],
  [
    'chat messages with ids and what only chat has',
    'openai-chat',
    [
      { id: 'm1', role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.test/' } }] },
      { id: 'm2', role: 'assistant', content: null, refusal: null, tool_calls: [call] },
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

const hollowParts = [
  { thought: true },
  { thought: false, text: null },
  { functionCall: null },
  { inlineData: null },
  {},
]

test.each(hollowParts)('[K5] a history of Gemini with the part %j is recognised and repaired', part => {
  const history = [
    { role: 'user', parts: [{ text: 'q' }] },
    { role: 'model', parts: [part, { functionCall: { name: 'search', args: {} } }] },
    { role: 'user', parts: [{ text: 'hello?' }] },
  ]
  expect(detect(history)).toBe('gemini')
  const { messages, remaining } = repair(history, { for: 'gemini' })
  expect(remaining).toEqual([])
  expect(messages[1]).toEqual({ role: 'model', parts: [{ functionCall: { name: 'search', args: {} } }] })
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

test('[K5] a history that fits several formats is read in the format of the named dialect', () => {
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

test('a call decides the format, whatever else is in the history', () => {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'w', input: {} }
  for (const odd of ['reasoning-file', 'redacted-reasoning', 'custom'])
    expect(detect([{ role: 'assistant', content: [{ type: odd, data: 'aa' }, call] }])).toBe('ai-sdk')
})

describe('a long history whose first messages are of a known format', () => {
  const turn = (index: number): unknown[] => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: null, tool_calls: [callOf(`call_${index}`)] },
    { role: 'tool', tool_call_id: `call_${index}`, content: 'ok' },
    { role: 'assistant', content: 'Done.' },
  ]
  const callOf = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })
  const head = Array.from({ length: 20 }, (_, index) => turn(index)).flat()

  test.each([
    [
      'calls in a field of another library',
      [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'I look.', my_calls: [{ id: 'x1', tool: 'run' }] },
        { role: 'tool', tool_call_id: 'x1', content: 'found' },
        { role: 'assistant', content: 'Done.' },
      ],
    ],
    [
      'many messages of another library',
      Array.from({ length: 60 }, (_, index) => ({ role: 'tool', parts: [{ kind: 'tool-return', id: `y${index}` }] })),
    ],
  ])('[K7] is left alone if what is doubtful is not of it: %s', (_, more) => {
    const history = [...head, ...more]
    expect(detect(history)).toBeUndefined()
    expect(heal(history)).toBe(history)
    expect(repair(history).messages).toBe(history)
  })

  test('[K7] is healed where all of it is of it', () => {
    const broken = [
      ...head,
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [callOf('z')] },
    ]
    expect(heal(broken)).toHaveLength(broken.length + 1)
  })
})
