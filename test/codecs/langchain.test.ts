import { describe, expect, test } from 'vitest'
import { langchain } from '../../src/codecs/langchain/index.ts'
import { check, detect, heal, repair } from '../../src/index.ts'

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
    expect(repair([human, calls]).repairs.map(({ rule }) => rule)).toEqual(['unlisted-call', 'unanswered-call'])
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

describe('words that stand in content_blocks', () => {
  test('what is not a list of blocks is left as it is, and not lost', () => {
    const words = { type: 'tool', tool_call_id: 'A', content_blocks: 'sunny' }
    const [, , healed] = heal([human, { type: 'ai', content: '', tool_calls: [call('A')] }, words], { for: 'openai' })
    expect(healed).toEqual({ ...words, content: '' })
  })

  const blocks = [{ type: 'text', text: 'the answer is 42' }]
  const v1 = { response_metadata: { output_version: 'v1' } }
  const stored = (type: string, data: object) => ({ type, data })

  test.each(['anthropic', 'openai', 'mistral', 'gemini'] as const)('are the content, for %s', reader => {
    const said = [
      stored('human', { content: 'q' }),
      stored('ai', { content_blocks: blocks, tool_calls: [], ...v1 }),
      stored('human', { content_blocks: [{ type: 'text', text: 'z' }], ...v1 }),
    ]
    expect(heal(said, { for: reader })).toBe(said)
    expect(check(said, { for: reader })).toEqual([])
  })

  test('are the words of a result too', () => {
    const calls = stored('ai', { content: '', tool_calls: [call('A')] })
    const answered = [
      stored('human', { content: 'q' }),
      calls,
      stored('tool', { tool_call_id: 'A', content_blocks: blocks }),
    ]
    expect(heal(answered, { for: 'minimax' })).toBe(answered)
  })

  test('move to the content when it changes, and no copy stays behind', () => {
    const spoken = { type: 'tool_call', id: strange, name: 'look', args: { q: 1 } }
    const calls = { content_blocks: [...blocks, spoken], tool_calls: [call(strange)], ...v1 }
    const [, healed] = heal([human, { type: 'ai', ...calls }, result(strange)], { for: 'anthropic' })
    const id = expect.stringMatching(renamed)
    expect(healed).toEqual({
      type: 'ai',
      content: [...blocks, { ...spoken, id }],
      tool_calls: [{ ...call(strange), id }],
      ...v1,
    })
  })

  test('do not outlive the content that they are a copy of', () => {
    const copied = { type: 'ai', content: blocks, content_blocks: blocks, tool_calls: [call('A')] }
    const late = { type: 'ai', content: 'let me look' }
    const [, healed] = heal([human, copied, late, result('A')])
    expect(healed).toEqual({
      type: 'ai',
      content: [...blocks, { type: 'text', text: 'let me look' }],
      tool_calls: [call('A')],
    })
  })

  test('stay blocks where the message says that its content is such', () => {
    const calls = [call('A'), { ...call('A'), name: 'find' }]
    const twice = { type: 'ai', content_blocks: [], content: [], tool_calls: calls, ...v1 }
    const [, healed] = heal<unknown[]>([human, twice, result('A'), result('A')]) as [unknown, typeof twice]
    expect(healed.content).toEqual(
      healed.tool_calls.map(({ name, args, id }) => ({ type: 'tool_call', id, name, args })),
    )
  })

  test('have their place there', () => {
    const blank = [human, { type: 'ai', content_blocks: [{ type: 'text', text: ' ' }, ...blocks], ...v1 }, human]
    expect(check(blank, { for: 'anthropic' }).map(({ at }) => at)).toEqual(['messages[1].content_blocks[0]'])
  })
})

describe('what is said elsewhere than in the content', () => {
  const extras = (additional_kwargs: object) => ({ type: 'ai', content: '', additional_kwargs })
  const called = extras({ function_call: { name: 'w', arguments: '{"a":1}' } })
  const ran = { type: 'function', name: 'w', content: 'sunny' }

  test.each(['anthropic', 'mistral', 'gemini', 'openai'] as const)('stays, for %s', reader => {
    const audio = extras({ audio: { id: 'audio_1', transcript: 'it is sunny' } })
    const refusal = extras({ refusal: 'I cannot' })
    const answer = { type: 'ai', content: 'so it is' }
    for (const said of [[called, ran, answer], [audio], [refusal]]) {
      const history = [human, ...said, { type: 'human', content: 'and now?' }]
      expect(heal(history, { for: reader })).toBe(history)
      expect(check(history, { for: reader })).toEqual([])
    }
  })

  test('a function call without its result gets one of its own sort', () => {
    const placeholder = { name: 'w', content: expect.stringMatching(/^\[no result\] /) }
    expect(heal<unknown[]>([human, called])[2]).toEqual({ type: 'function', ...placeholder })
    const { type, ...data } = called
    const stored = heal<unknown[]>([{ type, data }])
    expect(stored[1]).toEqual({ type: 'function', data: placeholder })
  })

  test('a function call whose arguments are cut off is repaired where it stands', () => {
    const cut = extras({ function_call: { name: 'w', arguments: '{"a":', kept: 1 }, other: 2 })
    const [, healed] = heal([human, cut, ran], { for: 'anthropic' })
    const repaired = { name: 'w', arguments: '{"_cut_off":"{\\"a\\":"}', kept: 1 }
    expect(healed).toEqual(extras({ function_call: repaired, other: 2 }))
  })

  test('a result of the other sort becomes one that answers', () => {
    const [, , legacy] = heal<unknown[]>([human, called, { ...result('A'), name: 'w', id: 'm1' }])
    expect(legacy).toEqual({ type: 'function', name: 'w', content: 'sunny', id: 'm1' })
    const calls = { type: 'ai', content: '', tool_calls: [call('A', 'w')] }
    const [, , listed] = heal<unknown[]>([human, calls, { ...ran, id: 'm1' }])
    expect(listed).toEqual({ ...result('A'), name: 'w', id: 'm1' })
  })

  test('a function call beside calls of the list is a copy of one', () => {
    const calls = { ...called, tool_calls: [{ ...call('A', 'w'), args: { a: 1 } }] }
    const history = [human, calls, result('A')]
    expect(heal(history)).toBe(history)
    expect(check(history)).toEqual([])
  })
})

describe('blocks of content, for a reader that is strict with them', () => {
  const text = (words: string) => ({ type: 'text', text: words })
  const healed = (content: unknown[]) => {
    const calls = { type: 'ai', content, tool_calls: [call('A')] }
    const [, now] = heal<unknown[]>([human, calls, result('A')], { for: 'anthropic' }) as [unknown, typeof calls]
    return now === calls ? 'same' : now.content
  }

  test('thinking without its proof goes', () => {
    expect(healed([{ type: 'thinking', thinking: 'x' }, text('so'), use('A')])).toEqual([text('so'), use('A')])
    expect(healed([{ type: 'redacted_thinking' }, use('A')])).toEqual([use('A')])
  })

  test('thinking with its proof stays, and so does reasoning that is never sent', () => {
    expect(healed([{ type: 'thinking', thinking: 'x', signature: 's' }, use('A')])).toBe('same')
    expect(healed([{ type: 'redacted_thinking', data: 'd' }, use('A')])).toBe('same')
    expect(healed([{ type: 'reasoning', id: 'rs_1', summary: [] }, use('A')])).toBe('same')
    const calls = { type: 'ai', content: '', tool_calls: [call('A')], additional_kwargs: { reasoning_content: 'hm' } }
    const history = [human, calls, result('A')]
    expect(heal(history, { for: 'anthropic' })).toBe(history)
  })

  test('text after a call that has its result stays there', () => {
    expect(healed([use('A'), text('late')])).toBe('same')
    expect(healed([text('so'), use('A')])).toBe('same')
  })
})

test.each([
  ['flat', { type: 'remove', id: 'm1' }],
  ['stored', { type: 'remove', data: { id: 'm1', content: [] } }],
  [
    'as JSON',
    { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'RemoveMessage'], kwargs: { id: 'm1' } },
  ],
])('a message that removes another is not part of the conversation: %s', (_, remove) => {
  const calls = { type: 'ai', content: '', tool_calls: [call('A')] }
  const healthy = [human, calls, remove, result('A'), remove]
  expect(heal(healthy, { for: 'anthropic' })).toBe(healthy)
  expect(check(healthy, { for: 'anthropic' })).toEqual([])
  const open = heal<unknown[]>([human, calls, remove], { format: 'langchain' })
  expect(open).toHaveLength(4)
  expect(open).toContain(remove)
})

describe('detection', () => {
  test.each([
    ['a flat message', [human]],
    ['a stored one', [{ type: 'ai', data: { content: 'hi' } }]],
    ['a stored one of blocks', [{ type: 'human', data: { content_blocks: [{ type: 'text', text: 'hi' }] } }]],
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
