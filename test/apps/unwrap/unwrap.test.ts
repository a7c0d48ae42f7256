import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inputKindTables } from '../../../scripts/input-kinds.ts'
import { readLiteral } from '../../../src/apps/unwrap/read-literal.ts'
import { unwrap } from '../../../src/apps/unwrap/unwrap.ts'
import { root } from '../../repository.ts'
import { body, langchain, messages, pydanticAi, pythonValues, refused, requests, series } from './kinds.ts'

const found = (text: string) => {
  const result = unwrap(text)
  return result && 'found' in result ? result : { found: [], kind: JSON.stringify(result), isSeries: false }
}

describe('[C100] a request is taken out of what people have', () => {
  test.each(requests)('%s', (_name, text, kind, at) => {
    const result = found(text)
    expect({ kind: result.kind, at: result.found.map(one => one.at) }).toEqual({ kind, at: [at] })
    const { value } = result.found[0]
    expect(value).toEqual(Array.isArray(value) ? messages : body)
  })

  test('messages of Pydantic AI get the kinds that their classes name', () => {
    expect(found(pydanticAi).found[0].value).toMatchObject([
      { kind: 'request', parts: [{ part_kind: 'user-prompt', timestamp: '2026-01-01' }] },
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_call_id: 'c1' }] },
    ])
  })

  test('one message is a history', () => {
    expect(found("ChatCompletionMessage(role='assistant', content='hi', tool_calls=None)").found[0].value).toEqual([
      { role: 'assistant', content: 'hi', tool_calls: null },
    ])
  })

  test.each(pythonValues)('%s', (text, value) => {
    const read = readLiteral(`{'a': ${text}}`, 0)
    expect(read.value).toEqual({ a: value ?? text })
  })

  test('fields outside of the history that the text does not contain are left out and named', () => {
    const text = `{'timeout': <Timeout object at 0x7f>, 'model': model, 'messages': ${JSON.stringify(messages)}}`
    const result = found(text)
    expect(result.found[0].value).toEqual({ messages })
    expect(result).toHaveProperty(
      'problem',
      'without timeout, model: line 1, column 13: an object that the log did not write out',
    )
  })

  test('a message that is sent over a WebSocket is taken out of a HAR', () => {
    const entries = [
      {
        request: { url: 'wss://api.openai.com/v1/responses' },
        _webSocketMessages: [
          { type: 'send', data: JSON.stringify({ type: 'response.create', input: messages.slice(0, 1) }) },
          { type: 'receive', data: JSON.stringify({ input: messages }) },
        ],
      },
    ]
    expect(found(JSON.stringify({ log: { entries } })).found.map(({ at }) => at)).toEqual(['request 1'])
  })

  test('LangChain messages get the type that their class names', () => {
    expect(found(langchain).found[0].value).toMatchObject([{ type: 'human' }, { type: 'ai' }, { type: 'tool' }])
  })

  test('long numbers keep their digits', () => {
    const parse = (text: string): unknown => JSON.parse(text.replace(/\d{20}/g, '"$&"'))
    expect(readLiteral("{'id': 12345678901234567890}", 0, parse).value).toEqual({ id: '12345678901234567890' })
  })
})

test('[C194] docs/command-line.md lists every kind of input, and what comes of each', () => {
  const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8')
  expect(page).toContain(inputKindTables())
  const rows = inputKindTables()
    .split('\n')
    .filter(line => /^\| (?!input)/.test(line))
  expect(rows).toHaveLength(requests.length + series.length + refused.length)
})

describe('[C104] several requests of one kind are a series', () => {
  test.each(series)('%s', (_name, text, kind, at) => {
    const result = found(text)
    expect({ kind: result.kind, isSeries: result.isSeries, at: result.found.map(one => one.at) }).toEqual({
      kind,
      isSeries: true,
      at,
    })
    for (const { value } of result.found)
      expect(Array.isArray(value) ? value : (value as typeof body).messages).toEqual(messages)
  })
})

test('[C103] histories at different places are not a series', () => {
  const result = found(JSON.stringify({ before: messages, after: messages }))
  expect({ isSeries: result.isSeries, at: result.found.map(one => one.at) }).toEqual({
    isSeries: false,
    at: ['before', 'after'],
  })
})

describe('[C108] what is not understood is refused', () => {
  test.each(refused)('%s', (_name, text, problem) => {
    const result = unwrap(text)
    expect(result).not.toHaveProperty('found')
    expect(result).toHaveProperty('problem', expect.stringMatching(problem))
  })

  test('a history is not taken out of JSON that breaks off after it', () => {
    const text = JSON.stringify({ messages, tools: [{ name: 'x' }] })
    for (let length = 1; length < text.length; length++) expect(found(text.slice(0, length)).found).toEqual([])
  })

  test.each(['', 'Hello.', '[]', '{}', '42', 'null', '"text"', '[1, 2]', '{"a": 1}'])(
    'nothing is found in %j',
    text => {
      expect(found(text).found).toEqual([])
    },
  )

  test('text of any kind ends in an answer', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '\\',
      '\n',
      ',',
      ':',
      '=',
      'curl ',
      '-d ',
      "$'",
      '^"',
      '```',
      'Name(',
      'None',
      '{\\"',
      'echo ',
      ' | ',
      '$(cat <<A\n',
      '[Object]',
      'datetime(',
      '> ',
      '│ ',
      '1',
      '<A: ',
      '>',
      '"messages":',
      '"role"',
      ' ',
      '\u0000',
      'é',
      "b'",
      '"""',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), parts => {
        expect(() => unwrap(parts.join(''))).not.toThrow()
      }),
      { numRuns: 3000, seed: 1 },
    )
  })

  test.each([
    '[',
    '{"a":',
    'a(',
    "['a',",
    '(',
    '"',
    "curl '",
    '```\n',
    '^"',
    '<A: ',
    '[1,',
    "'a' ",
    '{\\"',
    '"{\\"',
    'echo "',
    "\necho '",
    '$(cat <<A\n',
    "-d '{'a': [",
    '│ ',
    '> ',
    '<ref *1>',
    '[Object',
  ])('many of %j end in an answer', piece => {
    expect(found(piece.repeat(20_000)).found).toEqual([])
  })
})
