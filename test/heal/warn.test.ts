import { afterEach, expect, test, vi } from 'vitest'
import { warn } from '../../src/heal/warn.ts'

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('a trap')
    },
  },
)

afterEach(() => vi.restoreAllMocks())

test.each([
  ['an Error', Object.assign(new Error('it failed'), { code: 'E1' }), 'it failed', 'E1'],
  ['an error of another realm', { message: 'it failed', code: 7 }, 'it failed', undefined],
  ['a text', 'it failed', 'it failed', undefined],
  ['an object without a message', { reason: 'full' }, '{"reason":"full"}', undefined],
  ['a message that is not text', { message: { reason: 'full' } }, '{"message":{"reason":"full"}}', undefined],
  ['nothing', undefined, 'undefined', undefined],
  ['null', null, 'null', undefined],
  ['an object without a prototype', Object.create(null), '{}', undefined],
  ['an object whose fields throw', hostile, 'an error without a readable message', undefined],
])('[H9] a warning can be made of everything that a listener may throw: %s', (_, thrown, message, code) => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  warn(thrown)
  const type = 'AntiphonWarning'
  expect(emitWarning.mock.calls).toEqual([[message, code === undefined ? { type } : { type, code }]])
})
