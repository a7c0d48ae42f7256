import { describe, expect, test } from 'vitest'
import {
  type CodecId,
  check,
  type DialectId,
  detect,
  type HealOptions,
  heal,
  healRequest,
  type Repair,
  repair,
} from '../../src/index.ts'
import { sampleOf, triesAll } from '../sample.ts'

/** Nested this deep, a recursive walk would overflow the stack. */
const deepest = 100_000
/** Many enough that a spread of them as arguments, or a repair in quadratic time, shows; [SE30] counts the operations. */
const many = triesAll ? 20_000 : 5_000
/** Enough to see the same where a history costs more. */
const several = triesAll ? 5_000 : 2_000

type Message = Record<string, unknown>

/** The same hostile things in every wire. */
interface Wire {
  format: CodecId
  readers: DialectId[]
  user(text: string): Message
  assistant(text: string): Message
  /** The messages of one step with these calls; `input` is their arguments as they stand on the wire. */
  calls(calls: { id: string; name?: string; input?: unknown }[]): Message[]
  /** The messages with these results. */
  results(results: { id: string; text: unknown }[]): Message[]
}

const chat: Wire = {
  format: 'openai-chat',
  readers: ['mistral'],
  user: text => ({ role: 'user', content: text }),
  assistant: text => ({ role: 'assistant', content: text }),
  calls: calls => [
    {
      role: 'assistant',
      content: null,
      tool_calls: calls.map(({ id, name = 'look', input = '{}' }) => ({
        id,
        type: 'function',
        function: { name, arguments: input },
      })),
    },
  ],
  results: results => results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
}

const responses: Wire = {
  format: 'openai-responses',
  readers: ['openai-responses'],
  user: text => ({ type: 'message', role: 'user', content: text }),
  assistant: text => ({ type: 'message', role: 'assistant', content: text }),
  calls: calls =>
    calls.map(({ id, name = 'look', input = '{}' }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: input,
    })),
  results: results => results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
}

const anthropic: Wire = {
  format: 'anthropic',
  readers: ['anthropic'],
  user: text => ({ role: 'user', content: text }),
  assistant: text => ({ role: 'assistant', content: text }),
  calls: calls => [
    {
      role: 'assistant',
      content: calls.map(({ id, name = 'look', input = {} }) => ({ type: 'tool_use', id, name, input })),
    },
  ],
  results: results => [
    {
      role: 'user',
      content: results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    },
  ],
}

/** The full number in every format, for its first dialect; for the others enough to see that they repair the same. */
const ways = [chat, responses, anthropic].flatMap(wire =>
  wire.readers.map((reader, index) => ({
    ...wire,
    reader,
    most: index === 0 ? many : several,
    options: { format: wire.format, for: reader },
  })),
)

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe.each(ways)('$format for $reader', ({ format, reader, options, most, ...wire }) => {
  const hi = wire.user('hi')
  const each = (count: number, id: (index: number) => string) => numbers(count).map(index => ({ id: id(index) }))
  const texts = (count: number, id: (index: number) => string) =>
    numbers(count).map(index => ({ id: id(index), text: `result ${index}` }))

  test('[X1] calls with one id in one step', () => {
    const calls = numbers(most).map(index => ({ id: 'A', name: `tool_${index}` }))
    const { messages } = expectHealed([hi, ...wire.calls(calls)], options)
    expect(new Set(idsOfCalls(messages)).size).toBe(most)
    expectAnswered(messages)
  })

  test('[X1] the same call over and over in one step is one call', () => {
    const { messages } = expectHealed([hi, ...wire.calls(each(most, () => 'A'))], options)
    expect(idsOfCalls(messages)).toHaveLength(1)
    expectAnswered(messages)
  })

  test('[X2] results for one call', () => {
    const { messages, repairs } = expectHealed(
      [hi, ...wire.calls([{ id: 'A' }]), ...wire.results(texts(most, () => 'A'))],
      options,
    )
    expectAnswered(messages)
    expect(JSON.stringify(messages)).toContain('result 0')
    expect(repairs.filter(({ rule }) => rule === 'duplicate-result')).toHaveLength(most - 1)
  })

  test('[X3] results without a call', () => {
    const { messages, repairs } = expectHealed([hi, ...wire.results(texts(several, index => `call_${index}`))], {
      ...options,
      orphans: 'drop',
    })
    expect(messages).toEqual([hi])
    expect(repairs.filter(({ rule }) => rule === 'orphan-result')).toHaveLength(several)
  })

  test('[X3] results without a call that get one', () => {
    const history = [
      hi,
      ...wire.results(texts(several, index => `call_${index}`)),
      wire.assistant('so'),
      wire.user('well'),
    ]
    const { messages } = expectHealed(history, options)
    expectAnswered(messages)
    expect(idsOfCalls(messages)).toHaveLength(several)
  })

  test('[X4] assistant rows with one call each', () => {
    const rows = numbers(several).flatMap(index => wire.calls([{ id: `call_${index}` }]))
    const { messages } = expectHealed([hi, ...rows], options)
    expect(idsOfCalls(messages)).toHaveLength(several)
    expectAnswered(messages)
  })

  test('[X5] users between results', () => {
    const calls = wire.calls(each(several, index => `call_${index}`))
    const mixed = texts(several, index => `call_${index}`).flatMap(result => [
      ...wire.results([result]),
      wire.user(`user ${result.id}`),
    ])
    const { messages } = expectHealed([hi, ...calls, ...mixed], options)
    expectAnswered(messages)
    const said = JSON.stringify(messages).match(/user call_\d+/g)
    expect(said?.join()).toBe(
      numbers(several)
        .map(index => `user call_${index}`)
        .join(),
    )
  })

  test('[X5] steps without an end, each with a user in between', () => {
    const steps = numbers(several / 2).flatMap(index => [
      ...wire.calls([{ id: `call_${index}` }]),
      wire.user(`user ${index}`),
    ])
    const late = wire.results(texts(several / 2, index => `call_${index}`))
    const { messages } = expectHealed([hi, ...steps, ...late], options)
    expectAnswered(messages)
    expect(JSON.stringify(messages)).not.toContain('[no result]')
  })

  test('[X6] ids in a form that is refused, and no arguments that are JSON', () => {
    const calls = numbers(several).map(index => ({
      id: `functions.look:${index}:${'x'.repeat(70)}`,
      input: '{"cut": "of',
    }))
    const { messages } = expectHealed(
      [hi, ...wire.calls(calls), ...wire.results(calls.map(({ id }) => ({ id, text: id })))],
      options,
    )
    expect(new Set(idsOfCalls(messages)).size).toBe(several)
    expectAnswered(messages)
  })

  test('[X6] calls and results without an id', () => {
    const { messages } = expectHealed(
      [hi, ...wire.calls(each(several, () => '')), ...wire.results(texts(several, () => ''))],
      options,
    )
    expect(new Set(idsOfCalls(messages)).size).toBe(several)
    expectAnswered(messages)
    expect(JSON.stringify(messages)).not.toContain('[no result]')
  })

  test('[X9] results before their calls', () => {
    const history = [
      hi,
      ...wire.results(texts(several, index => `call_${index}`)),
      ...wire.calls(each(several, index => `call_${index}`)),
    ]
    const { messages } = expectHealed(history, options)
    expectAnswered(messages)
    expect(JSON.stringify(messages)).not.toContain('[no result]')
  })

  test('[X9] results long before their steps', () => {
    const steps = numbers(several / 2).flatMap(index => [
      ...wire.calls([{ id: `call_${index}` }]),
      wire.user(`user ${index}`),
    ])
    const { messages } = expectHealed(
      [hi, ...wire.results(texts(several / 2, index => `call_${index}`)), ...steps],
      options,
    )
    expectAnswered(messages)
    expect(JSON.stringify(messages)).not.toContain('[no result]')
  })

  test('[X10] arguments and content that are nested without end, as values and as JSON', () => {
    const deep = nested(deepest)
    const inputs = [deep, { deep }, deepText(deepest), `${deepText(deepest)}]`, `{"a":${deepText(deepest)}}`]
    for (const input of inputs) {
      const history = [
        hi,
        ...wire.calls([{ id: 'A', input }]),
        ...wire.results([{ id: 'A', text: 'sunny' }]),
        wire.user('so?'),
      ]
      const { messages } = repair(history, options)
      expectAnswered(messages)
      expect(check(messages, options).filter(({ severity }) => severity === 'error')).toEqual([])
    }
    for (const content of [deep, { deep }, [{ type: 'text', text: deepText(deepest) }]]) {
      const history = [
        hi,
        { ...hi, content },
        ...wire.calls([{ id: 'A' }]),
        ...wire.results([{ id: 'A', text: content }]),
      ]
      const { messages } = repair(history, options)
      expectAnswered(messages)
      detect(history)
    }
  })

  test('[X11] ids and keys that are names of the language', () => {
    const before = Reflect.ownKeys(Object.prototype)
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then']
    const history = [
      hi,
      ...wire.calls(names.map(id => ({ id, name: id }))),
      wire.user('wait'),
      ...wire.results(names.map(id => ({ id, text: id }))),
    ]
    const tainted = JSON.parse(
      JSON.stringify(history).replaceAll('"role":', '"__proto__":{"polluted":true},"constructor":{"x":1},"role":'),
    )
    const { messages } = expectHealed(tainted, options)
    expectAnswered(messages)
    expect(idsOfCalls(messages)).toHaveLength(names.length)
    expect(JSON.stringify(messages)).not.toContain('[no result]')
    expect(JSON.stringify(messages)).toContain('"__proto__":{"polluted":true}')
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    for (const message of messages) expect(Object.getPrototypeOf(message)).toBe(Object.prototype)
  })

  test('[X12] lone surrogates', () => {
    const halves = ['\ud800', '\ud801', '\udc00', '\ufffd', 'a\ud83d', '\ude00b']
    const words = [
      wire.user(halves.join(' ')),
      ...wire.calls(halves.map(id => ({ id }))),
      wire.user('\ud83d'),
      ...wire.results(halves.map(id => ({ id, text: id }))),
    ]
    const { messages } = expectHealed(words, options)
    expect(new Set(idsOfCalls(messages)).size).toBe(halves.length)
    expectAnswered(messages)
    expect(resultTexts(messages)).toEqual(halves)
  })

  test('[X13] texts of 50 MB, as content, id, arguments and name', () => {
    const step = (call: { id: string; name?: string; input?: unknown }, text: string) => [
      ...wire.calls([call]),
      wire.user('wait'),
      ...wire.results([{ id: call.id, text }]),
    ]
    const histories: readonly ((long: string) => Message[])[] = [
      long => [wire.user(long), ...step({ id: 'A' }, 'sunny')],
      long => [hi, ...step({ id: 'A' }, long)],
      long => [hi, ...step({ id: long }, 'sunny')],
      long => [hi, ...step({ id: 'A', input: long }, 'sunny')],
      long => [hi, ...step({ id: 'A', input: `{"x":"${long}"}` }, 'sunny')],
      long => [hi, ...step({ id: 'A', name: long }, 'sunny')],
      long => [hi, ...step({ id: 'A' }, 'sunny'), wire.assistant(`${long} `)],
    ]
    // The others are tried with texts of 1 MB.
    const longest = new Set(sampleOf(histories, 2, `${format} for ${reader}`))
    for (const history of histories) {
      const long = 'x'.repeat(longest.has(history) ? 50_000_000 : 1_000_000)
      const { messages, repairs } = expectHealed(history(long), options)
      expectAnswered(messages)
      for (const { message, help } of repairs) expect(message.length + help.length).toBeLessThan(1_000)
    }
  })
})

describe('openai-responses', () => {
  test('[X7] items that repeat many times', () => {
    const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }
    const call = { type: 'function_call', id: 'fc_1', call_id: 'A', name: 'look', arguments: '{}' }
    const result = { type: 'function_call_output', call_id: 'A', output: 'sunny' }
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
    const again = numbers(several).flatMap(() => [{ ...reasoning }, { ...call }, { ...result }, { ...item }])
    const { messages } = expectHealed([{ role: 'user', content: 'hi' }, ...again], { format: 'openai-responses' })
    expect(messages).toEqual([{ role: 'user', content: 'hi' }, reasoning, call, result, item])
  })
})

describe('anthropic', () => {
  const block = (index: number) => ({ type: 'tool_result', tool_use_id: `toolu_${index}`, content: 'sunny' })
  const use = (index: number) => ({ type: 'tool_use', id: `toolu_${index}`, name: 'look', input: {} })
  const hi = { role: 'user', content: 'hi' }

  test.each(['anthropic', 'minimax'] as const)(
    '[X8] results in one user message, with text between them, for %s',
    reader => {
      const mixed = numbers(several).flatMap(index => [{ type: 'text', text: `word ${index}` }, block(index)])
      const history = [hi, { role: 'assistant', content: numbers(several).map(use) }, { role: 'user', content: mixed }]
      const { messages } = expectHealed(history, { format: 'anthropic', for: reader })
      expectAnswered(messages)
      expect(JSON.stringify(messages).match(/word \d+/g)).toHaveLength(several)
    },
  )

  test.each(['anthropic', 'minimax'] as const)('[X8] results in one assistant message, for %s', reader => {
    const both = numbers(several).flatMap(index => [use(index), block(index)])
    const { messages } = expectHealed([hi, { role: 'assistant', content: both }], { format: 'anthropic', for: reader })
    expectAnswered(messages)
    expect(idsOfCalls(messages)).toHaveLength(several)
  })

  test.each(['anthropic', 'minimax'] as const)(
    '[X8] results without a call in one assistant message, for %s',
    reader => {
      const { messages } = expectHealed([hi, { role: 'assistant', content: numbers(several).map(block) }], {
        format: 'anthropic',
        for: reader,
      })
      expectAnswered(messages)
      expect(idsOfCalls(messages)).toHaveLength(several)
    },
  )

  test('[X8] more results in one assistant message than a call has room for arguments', () => {
    const content = [...numbers(150_000).map(block), { type: 'text', text: 'so' }]
    const { messages } = repair([hi, { role: 'assistant', content }, hi], { format: 'anthropic' })
    expectAnswered(messages)
    expect(idsOfCalls(messages)).toHaveLength(150_000)
  })
})

describe('any format', () => {
  test.each(['anthropic', 'openai', 'gemini', 'bedrock'] as const)(
    '[X10] limits of %s: what is nested too deep is left alone',
    name => {
      let content: unknown = 'x'
      for (let depth = 0; depth < 9_000; depth++) content = [{ type: 'tool_result', tool_use_id: 'a', content }]
      const results = { max_tokens: 1, messages: [{ role: 'user', content }] }
      let input: object = { half: '\ud800' }
      for (let depth = 0; depth < 9_000; depth++) input = { input }
      const half = {
        max_tokens: 1,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
        ],
      }
      for (const body of [results, half]) expect(() => healRequest(body, { for: name })).not.toThrow()
    },
  )

  test('[X10] a deeply nested value is not a history, and nothing throws', () => {
    for (const value of [
      nested(deepest),
      { messages: nested(deepest) },
      [nested(deepest)],
      [{ role: nested(deepest), content: 'hi' }],
    ]) {
      expect(() => [detect(value), check(value), repair(value), heal(value)]).not.toThrow()
    }
  })
})

/** The repair, which leaves no error and nothing to do for another. */
function expectHealed(history: unknown[], options: HealOptions): { messages: unknown[]; repairs: readonly Repair[] } {
  const { messages, repairs, remaining } = repair(history, options)
  expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(heal(messages, options) === messages).toBe(true)
  return { messages, repairs }
}

/** As many results as calls, in their order. Compared by hand, since there are so many. */
function expectAnswered(messages: readonly unknown[]): void {
  const [calls, results] = [idsOfCalls(messages), idsOfResults(messages)]
  expect(results.length).toBe(calls.length)
  const wrong = results.findIndex((id, index) => id !== calls[index])
  expect(wrong < 0 ? 'each in its place' : `${wrong}: ${results[wrong]} for ${calls[wrong]}`).toBe('each in its place')
}

function* blocksIn(messages: readonly unknown[]): Generator<Message> {
  for (const message of messages as Message[]) {
    yield message
    for (const list of [message.content, message.tool_calls]) if (Array.isArray(list)) yield* list
  }
}

function idsOfCalls(messages: readonly unknown[]): unknown[] {
  const ids: unknown[] = []
  for (const { type, id, call_id, ...block } of blocksIn(messages)) {
    if (type === 'function_call') ids.push(call_id)
    else if (type === 'tool_use' || (type === 'function' && 'function' in block)) ids.push(id)
  }
  return ids
}

function idsOfResults(messages: readonly unknown[]): unknown[] {
  const ids: unknown[] = []
  for (const { type, role, call_id, tool_use_id, tool_call_id } of blocksIn(messages)) {
    if (type === 'function_call_output') ids.push(call_id)
    else if (type === 'tool_result') ids.push(tool_use_id)
    else if (role === 'tool') ids.push(tool_call_id)
  }
  return ids
}

function resultTexts(messages: readonly unknown[]): unknown[] {
  const found: unknown[] = []
  for (const { type, role, output, content } of blocksIn(messages)) {
    if (type === 'function_call_output') found.push(output)
    else if (type === 'tool_result' || role === 'tool') found.push(content)
  }
  return found
}

/** A list in a list in a list. */
function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

const deepText = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
