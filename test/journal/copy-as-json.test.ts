import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyAsJson } from '../../src/journal/render/copy-as-json.ts'

class Point {
  x = 1
  toString = () => 'a point'
}

class Names extends Array<string> {}

const odd: Record<string, unknown> = {
  'a field that is not there': { a: undefined, b: 1 },
  'a place in a list that is not there': [1, undefined, 2],
  'a list with a hole': Object.assign([1], { 2: 3 }),
  'numbers that JSON has not': [Number.NaN, Number.POSITIVE_INFINITY, -0],
  'a date': { at: new Date(0) },
  'what writes itself': { toJSON: () => ({ written: true }) },
  'a list that writes itself': [Object.assign([1], { toJSON: () => 'written' })],
  'an object of a class': { deep: [new Point()] },
  'a list of a class': { names: Names.from(['a', 'b']) },
  'a map': new Map([[1, 2]]),
  'a boxed text': { text: Object('boxed') },
  'an object that inherits nothing': Object.assign(Object.create(null), { a: 1 }),
  'a field of a name that means something else': JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":[]}}'),
  'a symbol and a function': { [Symbol('key')]: 1, symbol: Symbol('value'), run: () => {}, kept: 1 },
  'half of a pair': { text: '\ud800' },
  'fields with numbers for names': { b: 1, 2: 'two', a: 2, 1: 'one' },
}

test.each(Object.entries(odd))('[B420] %s is what JSON makes of it', (_, value) => {
  checkStored(value)
})

test('[B420] any other value too', () => {
  fc.assert(fc.property(fc.object({ withNullPrototype: true, withDate: true, withSparseArray: true }), checkStored))
})

test('[B420] what cannot be written is refused', () => {
  const circle: Record<string, unknown> = { date: new Date(0) }
  circle.self = circle
  expect(() => copyAsJson(circle)).toThrow(TypeError)
  expect(() => copyAsJson({ large: 1n })).toThrow(TypeError)
})

function checkStored(value: unknown): void {
  const stored: unknown = JSON.parse(JSON.stringify(value))
  const copy = copyAsJson(value)
  expect(copy).toStrictEqual(stored)
  expect(JSON.stringify(copy)).toBe(JSON.stringify(stored))
  if (typeof value === 'object') expect(copy).not.toBe(value)
}
