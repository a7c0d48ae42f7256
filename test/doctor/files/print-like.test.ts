import { describe, expect, test } from 'vitest'
import { printLike } from '../../../src/doctor/files/print-like.ts'

/** The text after its value was changed. */
function printed(text: string, change: (value: ReturnType<typeof JSON.parse>) => unknown): string {
  const value = JSON.parse(text)
  return printLike({ text, value }, change(value))
}

describe('a changed value is printed like the text it comes from', () => {
  test('what is the same is copied with its escapes, numbers and spaces', () => {
    const text = '{"a": 1.0, "b":"\\u00e9" ,  "c": [1e5, {"d":0.10}]}'
    expect(printed(text, value => ({ ...value, b: 'x' }))).toBe('{"a": 1.0, "b":"x" ,  "c": [1e5, {"d":0.10}]}')
    expect(printed(text, value => ({ ...value, c: [value.c[0]] }))).toBe('{"a": 1.0, "b":"\\u00e9" ,  "c": [1e5]}')
    expect(printed(text, value => value)).toBe(text)
  })

  test('what is new is laid out like its neighbours', () => {
    const text = '{\n\t"a": [\n\t\t{\n\t\t\t"id": "x"\n\t\t}\n\t]\n}'
    const after = '{\n\t"a": [\n\t\t{\n\t\t\t"id": "x"\n\t\t},\n\t\t{\n\t\t\t"id": "y"\n\t\t}\n\t],\n\t"b": true\n}'
    expect(printed(text, ({ a }) => ({ a: [...a, { id: 'y' }], b: true }))).toBe(after)
    expect(printed('{"a":[],"b":{}}', value => ({ ...value, a: [1], b: { c: 2 } }))).toBe('{"a":[1],"b":{"c":2}}')
  })

  test('elements that moved or changed are found again by what they are, by their ids, and by their places', () => {
    const text = '[{"id":"a","n":1.0},{"id":"b","n":2.0},{"role":"x","n":3.0,"m":1}]'
    expect(printed(text, ([a, b, c]) => [b, a, c])).toBe(
      '[{"id":"b","n":2.0},{"id":"a","n":1.0},{"role":"x","n":3.0,"m":1}]',
    )
    expect(
      printed(text, ([, b, c]) => [
        { ...b, k: 1 },
        { ...c, m: 2 },
      ]),
    ).toBe('[{"id":"b","n":2.0,"k":1},{"role":"x","n":3.0,"m":2}]')
  })
})
