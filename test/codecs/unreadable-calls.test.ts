import { expect, test } from 'vitest'
import { repair } from '../../src/index.ts'

/** A store wrote the list as its JSON, or took its only entry out of it. */
const call = { id: 'A', type: 'function', function: { name: 'look', arguments: '{}' } }

test.each([
  ['openai-chat', { role: 'assistant', content: null, tool_calls: call }],
  ['openai-chat', { role: 'assistant', content: null, tool_calls: JSON.stringify([call]) }],
  ['ag-ui', { id: 'a', role: 'assistant', toolCalls: call }],
  ['ag-ui', { id: 'a', role: 'assistant', tool_calls: JSON.stringify([call]) }],
  ['langchain', { type: 'ai', content: '', tool_calls: { id: 'A', name: 'look', args: {} } }],
  ['langchain', { type: 'ai', data: { content: '', invalid_tool_calls: '[{"id":"A","name":"look"}]' } }],
] as const)('[L8] calls that are no list are not lost in %s: the message stays as it is', (format, message) => {
  const user = format === 'langchain' ? { type: 'human', content: 'hi' } : { id: 'u', role: 'user', content: 'hi' }
  const { messages, remaining } = repair([user, message, user], { format })
  expect(messages[1]).toBe(message)
  expect(remaining.map(({ rule }) => rule)).toContain('unreadable-message')
})
