import { expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { convert, heal, repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'
import { codecIds } from '../laws/try-laws.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test.each(codecIds)('[SE361] a field that no codec reads is in the healed %s history or in the report', format => {
  let removed = 0
  for (let seed = 0; seed < 120; seed++) {
    const { messages } = history(format as CodecId, 5_500_000 + seed)
    const marked = messages.map((message, index) =>
      isObject(message) ? { ...message, remark: `remark ${index} of the application` } : message,
    )
    const { messages: healed, repairs } = repair(marked, { format: format as CodecId })
    const told = JSON.stringify(repairs)
    const kept = JSON.stringify(healed)
    for (const message of marked) {
      if (!isObject(message)) continue
      const { remark } = message as { remark: string }
      if (kept.includes(remark)) continue
      removed++
      expect(told, `seed ${seed}`).toContain(remark)
    }
  }
  expect(removed).toBeGreaterThan(0)
})

test('[SE361] a second result of LangChain with an artifact of its own is not said to add nothing', () => {
  const ai = { type: 'ai', content: '', tool_calls: [{ id: 'call_1', name: 'look', args: {} }] }
  const result = (artifact?: object) => ({ type: 'tool', content: 'A cat.', tool_call_id: 'call_1', artifact })
  const heal = (...results: object[]) => repair([{ type: 'human', content: 'Go.' }, ai, ...results])
  const [entry] = heal(result({ picture: 'first' }), result({ picture: 'second' })).repairs
  expect(entry).toMatchObject({ rule: 'duplicate-result', class: 'lossy' })
  expect(JSON.stringify(entry)).toContain('second')
  for (const second of [result(), result({ picture: 'first' })])
    expect(heal(result({ picture: 'first' }), second).repairs[0]).toMatchObject({ class: 'lossless' })
})

const raw = (id: string, name: string, input: object) => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(input) },
})
const lone = { type: 'tool', content: 'A dog.', tool_call_id: 'call_2' }
const listed = [
  { type: 'human', content: 'Go.' },
  {
    ...{ type: 'ai', content: '' },
    tool_calls: [{ id: 'call_1', name: 'look', args: { at: 1 } }],
    additional_kwargs: { tool_calls: [raw('call_1', 'look', { at: 1 }), raw('call_2', 'watch', { at: 2 })] },
  },
  { type: 'tool', content: 'A cat.', tool_call_id: 'call_1' },
]

test('[SE362] an answered call that only the list of the provider has keeps its name and its arguments', () => {
  const { messages, repairs } = repair([...listed, lone])
  expect(repairs.map(({ rule, class: kind }) => [rule, kind])).toEqual([['unlisted-call', 'lossless']])
  expect(messages[1]).toMatchObject({
    tool_calls: [
      { id: 'call_1', name: 'look', args: { at: 1 } },
      { id: 'call_2', name: 'watch', args: { at: 2 } },
    ],
  })
  expect(repair(messages).changed).toBe(false)
  const chat = convert([...listed, lone], { to: 'openai-chat', onRepair: () => {} })
  expect(JSON.stringify(chat)).toContain(JSON.stringify(raw('call_2', 'watch', { at: 2 })))
})

test('[SE362] a call that only the list of the provider has, and that nothing answers, is left alone', () => {
  expect(repair(listed).changed).toBe(false)
})

test('[SE677] the refusals of joined messages are all in the joined message', () => {
  const history = [
    { role: 'user', content: 'Write it.' },
    { role: 'assistant', content: 'A draft.', refusal: 'I cannot write the rest.' },
    { role: 'assistant', content: 'Another draft.', refusal: 'I cannot send it.' },
    { role: 'user', content: 'Why?' },
  ]
  const { messages, remaining } = repair(history, { for: 'bedrock', allow: ['lossless'] })
  expect(remaining).toEqual([])
  expect(messages[1]).toMatchObject({ refusal: 'I cannot write the rest.\n\nI cannot send it.' })
  // A refusal without content becomes content.
  const silent = history.toSpliced(2, 1, { role: 'assistant', content: null as never, refusal: 'I cannot send it.' })
  expect(heal(silent, { for: 'bedrock' })[1]).toMatchObject({
    content: 'A draft.\n\nI cannot send it.',
    refusal: 'I cannot write the rest.',
  })
})
