import { expect, test } from 'vitest'
import { check, type HealOptions, repair } from '../../src/index.ts'

const user = { role: 'user', content: 'Book it.' }
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'book', arguments: '{}' })
const words = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] }
const nothing = { type: 'tool-result', toolCallId: 'A', toolName: 'book', output: '' }

/** Items that stand together are one message, so what is divided there and gets nothing in between is joined again. */
test.each<[string, HealOptions, object[]]>([
  ['text behind a call', { for: 'openai', allow: ['lossless'] }, [user, call('A'), words]],
  [
    'calls that must stand alone',
    { for: 'llama-template', pending: 'keep', pendingCalls: ['A'] },
    [user, call('A'), call('B')],
  ],
])('[L2] a round without a net change is not a repair: %s', (_, options, history) => {
  const { messages, changed, repairs, remaining } = repair(history, { format: 'openai-responses', ...options })
  expect([messages === history, changed, repairs]).toEqual([true, false, []])
  expect(remaining).toEqual(check(history, { format: 'openai-responses', ...options }))
  expect(remaining.length).toBeGreaterThan(0)
})

test('[L1] empty content in an unknown form is repaired once', () => {
  const options = { format: 'ai-sdk', for: 'bedrock', continues: true, allow: ['synthetic'] } as const
  const { messages, repairs, remaining } = repair([{ role: 'tool', content: [nothing] }], options)
  expect(repairs.map(({ rule }) => rule)).toEqual(['empty-result'])
  expect(remaining).toEqual(check(messages, options))
})
