import { describe, expect, test } from 'vitest'
import { heal } from '../../src/index.ts'
import { readers, refusal } from '../strict/readers.ts'

const reader = readers.find(({ dialect }) => dialect === 'openai-responses') as (typeof readers)[number]
const options = { format: 'openai-responses', for: 'openai-responses' } as const
const compaction = (type: string) => ({ type, id: 'cmp_1', encrypted_content: 'gAAAAB' })
const call = { type: 'function_call', call_id: 'call_1', name: 'search', arguments: '{}' }
const result = { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351' }
const user = { role: 'user', content: 'Book it.' }

describe('openai-responses', () => {
  test.each(['compaction', 'context_compaction'])(
    'a result after a %s whose call is not in the history is rejected, and gets a call or is removed: compacted calls need no result',
    type => {
      const history = [compaction(type), result, user]
      expect(refusal(history, reader)?.message).toBe('No tool call found for function call output with call_id call_1.')
      expect(heal(history, { ...options, orphans: 'drop' })).toEqual([compaction(type), user])
      expect(heal(history, options)).toEqual([compaction(type), { ...call, name: 'unknown_tool' }, result, user])
      expect(refusal(heal(history, options), reader)).toBeUndefined()
    },
  )

  test('a result after a compaction stays with its call, and beside a reference', () => {
    for (const history of [
      [compaction('compaction'), call, result, user],
      [compaction('compaction'), { type: 'item_reference', id: 'fc_1' }, result, user],
    ])
      expect(heal(history, options)).toBe(history)
  })
})

test('[L2] a result in the shape of the chat wire takes a new id where it stands, if its content must not change', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.test/a.png' } }
  const history = [{ role: 'tool', tool_call_id: 'call_of_another_form', content: [image] }]
  const options = { format: 'openai-responses', for: 'mistral', continues: true, allow: ['lossless'] } as const
  const healed = heal(history, options)
  expect(healed).toEqual([{ ...history[0], tool_call_id: expect.stringMatching(/^\w{9}$/) }])
  expect(heal(healed, options)).toBe(healed)
})
