import { describe, expect, test } from 'vitest'
import { langchain } from '../../src/codecs/langchain/index.ts'
import { detect, heal, repair } from '../../src/index.ts'

const human = { type: 'human', content: 'hi' }
const call = (id: string, name = 'look') => ({ name, args: { q: 1 }, id, type: 'tool_call' })
const rawCall = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{"q":1}' } })
const use = (id: string, name = 'look') => ({ type: 'tool_use', id, name, input: { q: 1 } })
const result = (id: string) => ({ type: 'tool', tool_call_id: id, content: 'sunny' })

/** An id that only some readers refuse, so that a history is healthy or not as a test wants it. */
const strange = 'a:1'
const renamed = /^call_\w{10}$/

describe('what stands of a call beside its list', () => {
  test('copies that providers and streams left behind go when the calls change', () => {
    const calls = {
      type: 'AIMessageChunk',
      content: '',
      tool_calls: [call(strange)],
      tool_call_chunks: [{ name: 'look', args: '{"q":1}', id: strange, index: 0 }],
      additional_kwargs: { tool_calls: [rawCall(strange)], function_call: { name: 'look', arguments: '{}' }, kept: 1 },
      response_metadata: { output: [{ type: 'function_call', call_id: strange }], model: 'm' },
    }
    const [, healed] = heal([human, calls, result(strange)], { for: 'anthropic' })
    expect(healed).toEqual({
      ...calls,
      tool_calls: [{ ...call(strange), id: expect.stringMatching(renamed) }],
      tool_call_chunks: [],
      additional_kwargs: { kept: 1 },
      response_metadata: { model: 'm' },
    })
  })

  test('they stay when something else changes', () => {
    const calls = {
      type: 'ai',
      content: '',
      tool_calls: [call('A')],
      additional_kwargs: { tool_calls: [rawCall('A')] },
    }
    const late = { type: 'ai', content: 'let me look' }
    const [, healed] = heal([human, calls, late, result('A')])
    expect(healed).toEqual({ ...calls, content: 'let me look' })
  })

  test('a block of content follows its call, and unknown fields of it stay', () => {
    const calls = {
      type: 'ai',
      content: [
        { type: 'text', text: 'so' },
        { ...use(strange), cache_control: { type: 'ephemeral' } },
      ],
      tool_calls: [call(strange)],
    }
    const [, healed, ran] = heal<unknown[]>([human, calls, result(strange)], { for: 'anthropic' })
    const { tool_call_id: id } = ran as { tool_call_id: string }
    expect(id).toMatch(renamed)
    expect(healed).toEqual({
      type: 'ai',
      content: [calls.content[0], { ...calls.content[1], id }],
      tool_calls: [{ ...call(strange), id }],
    })
  })

  test('a call that is dropped takes its block along', () => {
    const calls = { type: 'ai', content: [use('A'), use('A')], tool_calls: [call('A'), call('A')] }
    const [, healed] = heal([human, calls, result('A')])
    expect(healed).toEqual({ type: 'ai', content: [use('A')], tool_calls: [call('A')] })
  })

  test('calls that come together have blocks all of them, or none', () => {
    const rows = [
      { type: 'ai', content: [use('A')], tool_calls: [call('A')] },
      { type: 'ai', content: '', tool_calls: [call('B')] },
    ]
    const [, healed] = heal<unknown[]>([human, ...rows, result('A'), result('B')])
    expect(healed).toEqual({ type: 'ai', content: [use('A'), use('B')], tool_calls: [call('A'), call('B')] })
  })
})

describe('calls that are in no list of their own', () => {
  test("those in a provider's list are answered where they are, and listed once they change", () => {
    const calls = { type: 'ai', content: '', tool_calls: [], additional_kwargs: { tool_calls: [rawCall(strange)] } }
    const answered = [human, calls, result(strange)]
    expect(heal(answered)).toBe(answered)
    expect(repair([human, calls]).repairs.map(({ rule }) => rule)).toEqual(['unanswered-call'])
    const [, healed] = heal(answered, { for: 'anthropic' })
    expect(healed).toMatchObject({ tool_calls: [{ name: 'look', args: { q: 1 }, type: 'tool_call' }] })
    expect(healed).toMatchObject({ additional_kwargs: {} })
  })

  test('those in the content alone are calls too', () => {
    const calls = { type: 'ai', content: [use('A')], tool_calls: [] }
    const answered = [human, calls, result('A')]
    expect(heal(answered)).toBe(answered)
    expect(heal<unknown[]>([human, calls])).toHaveLength(3)
  })

  test("calls in a provider's own words may stand in the list", () => {
    const calls = { type: 'ai', content: '', tool_calls: [rawCall(strange)] }
    const [, healed] = heal([human, calls, result(strange)], { for: 'anthropic' })
    expect(healed).toEqual({ ...calls, tool_calls: [{ ...rawCall(strange), id: expect.stringMatching(renamed) }] })
  })
})

describe('a message that was made up', () => {
  const kwargs = { content: '', tool_calls: [call('A')] }

  test('has the form of its neighbours', () => {
    const placeholder = { tool_call_id: 'A', name: 'look', status: 'error', content: expect.any(String) }
    const stored = heal<unknown[]>([{ type: 'ai', data: kwargs }])
    expect(stored[1]).toEqual({ type: 'tool', data: placeholder })
    const id = ['langchain', 'schema', 'messages']
    const written = heal<unknown[]>([{ lc: 1, type: 'constructor', id: [...id, 'AIMessage'], kwargs }])
    expect(written[1]).toEqual({ lc: 1, type: 'constructor', id: [...id, 'ToolMessage'], kwargs: placeholder })
    expect(heal<unknown[]>([human, { type: 'ai', ...kwargs }])[2]).toEqual({ type: 'tool', ...placeholder })
  })

  test('is flat where there is none', () => {
    const messages = [{ key: 0, role: 'user', parts: [{ kind: 'text', text: 'hi' }] }] as const
    expect(langchain.encode(messages, langchain.decode([]), [])).toEqual([{ type: 'human', content: 'hi' }])
  })
})

test('reasoning is read from the extras and written there', () => {
  const calls = { type: 'ai', content: '', tool_calls: [call('A')], additional_kwargs: { reasoning_content: 'hm' } }
  const healthy = [human, calls, result('A')]
  expect(heal(healthy, { for: 'deepseek' })).toBe(healthy)
  const [, healed] = heal([human, { ...calls, additional_kwargs: {} }, result('A')], { for: 'deepseek' })
  expect(healed).toMatchObject({ additional_kwargs: { reasoning_content: '(no reasoning was recorded)' } })
})

test('a developer is a system message, under either of its names', () => {
  const extras = { additional_kwargs: { __openai_role__: 'developer', kept: 1 } }
  for (const developer of [
    { type: 'developer', content: 'be kind' },
    { type: 'system', content: 'be kind', ...extras },
  ]) {
    const history = [developer, human, { type: 'ai', content: 'ok' }, human]
    expect(heal(history)).toBe(history)
    const [system] = heal(history, { for: 'qwen' })
    const kept = 'additional_kwargs' in developer ? { additional_kwargs: { kept: 1 } } : {}
    expect(system).toEqual({ type: 'system', content: 'be kind', ...kept })
  }
})

describe('detection', () => {
  test.each([
    ['a flat message', [human]],
    ['a stored one', [{ type: 'ai', data: { content: 'hi' } }]],
    ['the JSON of an object', [{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'hi' } }]],
    ['a result', [{ type: 'tool', tool_call_id: 'A', content: '' }]],
  ])('knows %s', (_, history) => expect(detect(history)).toBe('langchain'))

  test.each([
    ['an item of Responses', [{ type: 'message', role: 'user', content: 'hi' }]],
    ['a call of Responses', [{ type: 'function_call', call_id: 'A', name: 'look', arguments: '{}' }]],
    ['a plain chat message', [{ role: 'user', content: 'hi' }]],
    ['an event', [{ type: 'system', data: { subtype: 'init' } }]],
    ['another object as JSON', [{ lc: 1, type: 'constructor', id: ['x', 'ChatOpenAI'], kwargs: {} }]],
  ])('leaves %s to others', (_, history) => expect(detect(history)).not.toBe('langchain'))
})
