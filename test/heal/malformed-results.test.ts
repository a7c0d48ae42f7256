import { describe, expect, test } from 'vitest'
import { type CodecId, check, heal } from '../../src/index.ts'

/** A history in each format whose one result has this content. */
const histories: Readonly<Record<string, (content: unknown) => unknown[]>> = {
  'openai-chat': content => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'go', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content },
  ],
  anthropic: content => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'go', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ],
  'openai-responses': content => [
    { role: 'user', content: 'Go.' },
    { type: 'function_call', call_id: 'call_1', name: 'go', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: content },
  ],
  langchain: content => [
    { type: 'human', content: 'Go.' },
    { type: 'ai', content: '', tool_calls: [{ id: 'call_1', name: 'go', args: {} }] },
    { type: 'tool', tool_call_id: 'call_1', name: 'go', content },
  ],
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const dialects: Readonly<Record<string, 'openai' | 'anthropic' | 'openai-responses'>> = {
  'openai-chat': 'openai',
  anthropic: 'anthropic',
  'openai-responses': 'openai-responses',
  langchain: 'openai',
}

describe.each(Object.keys(histories))('%s', format => {
  const type = format === 'openai-responses' ? 'input_text' : 'text'
  const block = (text: string) => ({ type, text })
  const options = { format: format as CodecId, for: dialects[format] }
  const make = histories[format]

  test.each<[string, unknown, unknown]>([
    ['an object', { temperature: 20 }, '{"temperature":20}'],
    ['a number', 7, '7'],
    ['a block outside of a list', block('Sunny.'), [block('Sunny.')]],
    ['a list of objects that are not blocks', [{ id: 1 }, { id: 2 }], '[{"id":1},{"id":2}]'],
    ['a list of numbers', [1, 2], '[1,2]'],
    ['strings in a list', ['Sunny.', 'Warm.'], [block('Sunny.'), block('Warm.')]],
    [
      'a block with text that is an object',
      [block('Sunny.'), { type, text: { warm: true } }],
      [block('Sunny.'), block('{"warm":true}')],
    ],
    ['a block without text', [{ type, text: null }], [block('null')]],
    ['an object among blocks', [block('Sunny.'), { warm: true }], [block('Sunny.'), block('{"warm":true}')]],
  ])('[R60] a result that is %s becomes text, and nothing of it is lost', (_, content, expected) => {
    const history = make(content)
    expect(check(history, options).map(({ rule }) => rule)).toEqual(['malformed-result'])
    const healed = heal(history, { ...options, onRepair: () => {} })
    expect(healed).toEqual(make(expected))
    expect(check(healed, options)).toEqual([])
  })

  test.each<[string, unknown]>([
    ['text', 'Sunny.'],
    ['a list of text blocks', [block('Sunny.'), block('Warm.')]],
    ['a block of a type that only the provider knows', [{ type: 'tool_reference', tool_name: 'go' }]],
  ])('[R61] a result that is %s is not changed', (_, content) => {
    const history = make(content)
    expect(heal(history, options)).toBe(history)
  })
})

test('[R62] an image among values is kept as a block', () => {
  const history = histories['openai-chat']([{ warm: true }, image])
  const healed = heal(history, { format: 'openai-chat', for: 'openai', onRepair: () => {} })
  expect(healed).toEqual(histories['openai-chat']([{ type: 'text', text: '{"warm":true}' }, image]))
})

test('[R63] in the AI SDK, text of a result that is not a string becomes JSON', () => {
  const make = (text: unknown) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'go', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'go',
          output: { type: 'content', value: [{ type: 'text', text }] },
        },
      ],
    },
  ]
  const healed = heal(make({ toString: null }), { format: 'ai-sdk', for: 'gemini', onRepair: () => {} })
  expect(healed).toEqual(make('{"toString":null}'))
})

test('[R64] in Bedrock, what is not a block becomes one', () => {
  const make = (content: unknown) => [
    { role: 'user', content: [{ text: 'Go.' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', name: 'go', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'call_1', content } }] },
  ]
  const healed = heal(make([{ text: { warm: true } }, 'Sunny.', 5]), { format: 'bedrock', onRepair: () => {} })
  expect(healed).toEqual(make([{ json: { warm: true } }, { text: 'Sunny.' }, { text: '5' }]))
})
