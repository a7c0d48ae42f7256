import { expect, test } from 'vitest'
import { readImageHeader } from '../../src/strict/judge/image-header.ts'
import { bmp, gif, jpeg, png, webp } from './images.ts'

test.each([
  ['image/png', png],
  ['image/gif', gif],
  ['image/bmp', bmp],
  ['image/jpeg', jpeg],
  ['image/webp', webp.lossy],
  ['image/webp', webp.lossless],
  ['image/webp', webp.extended],
] as const)('[S7] the header of %s says how large it is (%#)', (type, write) => {
  expect(readImageHeader(write(9001, 12))).toEqual({ type, width: 9001, height: 12 })
  const bytes = Buffer.from(write(9001, 12), 'base64')
  // Cut anywhere it is not read past its end.
  for (let length = 0; length < bytes.length; length++)
    expect(() => readImageHeader(bytes.subarray(0, length).toString('base64'))).not.toThrow()
})

test.each(['', 'AAAA', 'not base64!', Buffer.from('<html>').toString('base64')])('[S7] %j is not an image', data => {
  expect(readImageHeader(data)).toBeUndefined()
})
