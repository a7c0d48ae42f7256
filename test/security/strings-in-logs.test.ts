import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/apps/unwrap/unwrap.ts'

const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'C:\\new "é"\nit\'s' }] }
const json = JSON.stringify(body)

/** As Python prints a text and bytes. */
const repr = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
const bytes = (text: string): string => `b${repr(text).replaceAll('é', '\\xc3\\xa9')}`
const python = `{'model': 'gpt-5', 'messages': [{'role': 'user', 'content': ${repr(body.messages[0]?.content ?? '')}}]}`
const double = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

describe('[SE470] a string of code in a log or in code is read with its escapes', () => {
  test.each([
    ['bytes that http.client sends', `send: ${bytes(json)}\nreply: 'HTTP/1.1 400 Bad Request\\r\\n'`],
    ['bytes between words', `2026-01-02 DEBUG sending ${bytes(json)} to the model`],
    ['bytes between brackets', `Request('POST', headers={'a': 'b'}) [${bytes(json)}]`],
    ['a text after a colon', `2026-01-02 DEBUG body: ${repr(json)}`],
    ['a text that is assigned', `body = ${repr(json)}\nprint(body)`],
    ['a text between words, with escaped quotes', `2026-01-02 DEBUG sending ${double(python)} to the model`],
    ['a value in a text', `2026-01-02 DEBUG body: ${repr(python)}`],
    ['a text in triple quotes', `body = '''${json.replaceAll('\\', '\\\\')}'''\n`],
  ])('%s', (_name, text) => {
    expect(unwrap(text)).toMatchObject({ found: [{ value: body }] })
  })

  test.each([
    ['a flag of a program', `aws bedrock-runtime invoke-model --body '${json.replace("'", '’')}' out.json`],
    [
      'JSON in the quotes of a sentence',
      `calling '${JSON.stringify({ messages: [{ role: 'user', content: 'a\nb' }] })}' now`,
    ],
    ['a value in quotes', `sending '{'messages': [{'role': 'user', 'content': 'a\\nb'}]}'`],
  ])('what is only in quotes is read as it is: %s', (_name, text) => {
    expect(unwrap(text)).toMatchObject({ found: [{ value: { messages: [{ role: 'user' }] } }] })
    expect(unwrap(text)).not.toHaveProperty('problem')
    expect(JSON.stringify(unwrap(text))).toMatch(/a\\nb|C:\\\\new/)
  })

  test('what has two readings is refused', () => {
    const text = `calling '{"messages": [{"role": "user", "content": "C:\\\\new"}]}' now`
    expect(unwrap(text)).toEqual({
      problem: 'line 1: a value in quotes has two readings, as it is and with the escapes of a string',
    })
  })

  test('bytes that cannot be read are not read in another way', () => {
    const text = `send: ${bytes(json).replace('\\xc3', '\\xff')}`
    expect(unwrap(text)).toEqual({ problem: 'line 1: bytes that are not UTF-8' })
  })

  test.each(["'{", "b'{", "'{\\", '"[', `'''{`])(
    'any number of strings that hold nothing end in an answer: %s',
    piece => {
      const result = unwrap(`x ${piece.repeat(100_000)}`)
      expect(result === undefined || 'problem' in result).toBe(true)
    },
  )
})
