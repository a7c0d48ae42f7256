import { expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/index.ts'
import { type ModelOptions, openJournal, run } from '../../src/journal/index.ts'
import { says } from '../journal/contract/model.ts'

const dialect = 'opnai' as DialectId
const format = 'openai' as CodecId
const model = () => says('Hello.')

test.each([
  ['unknown dialect "opnai"', { for: dialect }],
  ['unknown format "openai"', { format }],
])('[SE570] a thread, and the reading of its messages, say: %s', async (message, options) => {
  await using journal = await openJournal('memory:')
  expect(() => journal.thread('t', options)).toThrow(message)
  await expect(journal.thread('t').messages(options)).rejects.toThrow(message)
  expect(() => journal.work({ model, thread: { for: 'openai', ...options } })).toThrow(message)
})

test.each<[string, ModelOptions]>([
  ['unknown dialect "opnai"', { for: dialect }],
  ['unknown format "openai"', { format }],
  ['unknown dialect "opnai"', { models: [model, { model, for: dialect }] }],
  ['unknown format "openai"', { models: [model, { model, for: 'openai', format }] }],
])('[SE570] run and workers say, before a model is asked: %s', async (message, options) => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  await expect(run(thread, { model, ...options })).rejects.toThrow(message)
  expect(() => journal.work({ model, thread: { for: 'openai' }, ...options })).toThrow(message)
  expect((await thread.status()).state).toBe('waiting')
})
