import { describe, expect, test } from 'vitest'
import { equal } from '../../src/core/json/equal.ts'

describe('equal', () => {
  test('JSON values are equal if they say the same, in whichever order of keys', () => {
    expect(equal({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBe(true)
    expect(equal({ a: 1 }, { a: 1, b: undefined })).toBe(false)
    expect(equal([1], { 0: 1 })).toBe(false)
  })

  test('addresses and bytes in memory are compared by what they are', () => {
    expect(equal(new URL('https://a.test/1'), new URL('https://a.test/1'))).toBe(true)
    expect(equal(new URL('https://a.test/1'), new URL('https://a.test/2'))).toBe(false)
    expect(equal(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).toBe(true)
    expect(equal(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false)
  })

  test('what shows nothing of itself is equal to itself only', () => {
    const buffer = new ArrayBuffer(2)
    expect(equal(buffer, buffer)).toBe(true)
    expect(equal(buffer, new ArrayBuffer(2))).toBe(false)
    expect(equal(new Map([[1, 2]]), new Map([[1, 2]]))).toBe(false)
  })
})
