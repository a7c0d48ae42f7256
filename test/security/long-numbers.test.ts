import { expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { convert, healRequest, repair } from '../../src/index.ts'
import { codecIds } from '../laws/try-laws.ts'

const digits = ['12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e400']
const input = `{"ids":[${digits}],"n":1}`

const asked = [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: input } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' },
]

/** As JSON, with numbers in quotes as numbers. */
const told = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('\\"', '"')
    .replaceAll(/"(-?\d[\d.e]*)"/g, '$1')

test.each(codecIds)('[SE364] numbers of any length stay digit for digit when arguments are converted to %s', to => {
  const there = convert(asked, { from: 'openai-chat', to: to as CodecId })
  expect(told(there)).toContain(`[${digits}]`)
  // Some SDKs copy messages, or write them without `JSON.stringify`.
  expect(structuredClone(there)).toEqual(there)
  const back = convert(there, { from: to as CodecId, to: 'openai-chat', onRepair: () => {} })
  expect(told(back)).toContain(`[${digits}]`)
})

test('[SE364] they stay when a repair parses arguments', () => {
  const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: input } }] }
  const { messages, repairs } = repair([asked[0], message, { role: 'tool', tool_name: 'look', content: 'A cat.' }], {
    format: 'ollama',
  })
  expect(repairs.map(({ rule }) => rule)).toEqual(['malformed-arguments'])
  expect(told(messages)).toContain(`"arguments":${input}`)
  const use = { type: 'tool_use', id: 'call_1', name: 'look', input }
  const result = { type: 'tool_result', tool_use_id: 'call_1', content: 'A cat.' }
  const { body } = healRequest({
    ...{ model: 'claude-opus-4-5', max_tokens: 9 },
    messages: [asked[0], { role: 'assistant', content: [use] }, { role: 'user', content: [result] }],
  })
  expect(told(body)).toContain(`"input":${input}`)
})
