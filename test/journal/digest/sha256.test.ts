import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64UrlOf, hexOf, sha256, sha256Portable } from '../../../src/journal/digest/sha256.ts'

describe('SHA-256', () => {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

  test('without Node, a text has the same digest', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(texts, text => {
        const expected = createHash('sha256').update(text).digest()
        expect(Buffer.from(sha256Portable(bytesOf(text)))).toEqual(expected)
        expect(hexOf(sha256(text))).toBe(expected.toString('hex'))
        expect(base64UrlOf(sha256(text))).toBe(expected.toString('base64url'))
      }),
    )
  })

  test.each([55, 56, 63, 64, 65, 119, 120, 1_000_000])('also one of %i bytes', length => {
    const text = 'a'.repeat(length)
    expect(hexOf(sha256Portable(bytesOf(text)))).toBe(createHash('sha256').update(text).digest('hex'))
  })
})
