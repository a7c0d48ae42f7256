import { expect, test } from 'vitest'
import { repair } from '../../src/index.ts'

const question = { role: 'user', content: 'Book it.' }
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_abc123', type: 'function', function: { name: 'book', arguments: '{}' } }],
}

test('a running call is recognised by its own id, also if the provider needs another one', () => {
  const { messages } = repair([question, call, question], { for: 'mistral', pendingCalls: ['call_abc123'] })
  expect(JSON.stringify(messages)).toContain('still running')
  const kept = repair([question, call], { for: 'mistral', pending: 'keep', pendingCalls: ['call_abc123'] })
  expect(kept.messages).toHaveLength(2)
  const interrupted = [
    { id: '1', ...question },
    { id: '2', role: 'assistant', toolCalls: call.tool_calls },
  ]
  const waiting = repair(interrupted, { format: 'ag-ui', for: 'mistral', pendingCalls: ['call_abc123'] })
  expect(waiting.repairs.map(({ rule }) => rule)).toEqual(['malformed-id'])
})
