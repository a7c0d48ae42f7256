import { afterEach, expect, test, vi } from 'vitest'
import { AntiphonError } from '../../src/core/errors.ts'
import { warn, warnOfLoss } from '../../src/heal/warn.ts'
import { repair } from '../../src/index.ts'

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
  [
    'an error with a hint',
    new AntiphonError('unreadable', 'it failed', { hint: 'try again' }),
    'it failed (try again)',
    'unreadable',
  ],
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

test('[NL4] without onRepair, a repair that loses unknown fields with text is told once, though nothing else is lost', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const asks = (id: string) => ({
    ...{ role: 'assistant', content: null, remark: `only here, about ${id}` },
    tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: '{}' } }],
  })
  const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'sunny' })
  const { repairs } = repair([{ role: 'user', content: 'hi' }, asks('a'), asks('b'), answers('a'), answers('b')], {
    for: 'openai',
  })
  expect(repairs).toMatchObject([{ class: 'lossless', lostFields: { 'messages[2].remark': 'only here, about b' } }])
  for (let time = 0; time < 2; time++) warnOfLoss({ repairs })
  expect(emitWarning.mock.calls).toMatchObject([
    [expect.stringContaining(repairs[0].rule), { code: 'content-dropped' }],
  ])
})
