import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLiteral } from '../../../src/apps/unwrap/read-literal.ts'
import { unwrap } from '../../../src/apps/unwrap/unwrap.ts'
import { body, langchain, messages, refused, requests, series } from './kinds.ts'

const found = (text: string) => {
  const result = unwrap(text)
  return result && 'found' in result ? result : { found: [], kind: JSON.stringify(result), isSeries: false }
}

describe('[C100] a request is taken out of what people have', () => {
  test.each(requests)('%s', (_name, text, kind, at) => {
    const result = found(text)
    expect({ kind: result.kind, at: result.found.map(one => one.at) }).toEqual({ kind, at: [at] })
    expect(result.found[0].value).toEqual(body)
  })

  test('LangChain messages get the type that their class names', () => {
    expect(found(langchain).found[0].value).toMatchObject([{ type: 'human' }, { type: 'ai' }, { type: 'tool' }])
  })

  test('long numbers keep their digits', () => {
    const parse = (text: string): unknown => JSON.parse(text.replace(/\d{20}/g, '"$&"'))
    expect(readLiteral("{'id': 12345678901234567890}", 0, parse).value).toEqual({ id: '12345678901234567890' })
  })
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

  test.each(['[', '{"a":', 'a(', "['a',", '(', '"', "curl '", '```\n', '^"', '<A: ', '[1,', "'a' "])(
    'many of %j end in an answer',
    piece => {
      expect(found(piece.repeat(20_000)).found).toEqual([])
    },
  )
})
