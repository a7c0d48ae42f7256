import { expect, test } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'

const model = async () => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
})

const notSet = Number(process.env.ANTIPHON_VARIABLE_THAT_IS_NOT_SET)

test.each([notSet, Number.POSITIVE_INFINITY, 0, -1, 1.5])(
  '[SE503] a worker for %s threads says so, instead of running none',
  async threads => {
    const journal = await openJournal('memory:')
    expect(() => journal.work({ model, threads, thread: { for: 'openai' } })).toThrow(
      `threads must be a positive integer, got ${threads}`,
    )
    await journal.close()
  },
)

test.each(['leaseMs', 'staleMs', 'graceMs', 'outputBytesMax'])(
  '[SE503] a thread says that %s is no amount',
  async name => {
    const journal = await openJournal('memory:')
    for (const amount of [notSet, -1])
      expect(() => journal.thread('t', { for: 'openai', [name]: amount })).toThrow(
        `${name} must be 0 or more, got ${amount}`,
      )
    await journal.close()
  },
)

test.each([
  ['maxSteps', { maxSteps: notSet }],
  ['agentLimits.depth', { agentLimits: { depth: notSet } }],
  ['agentLimits.perTurn', { agentLimits: { perTurn: notSet } }],
  ['timeoutMs of look', { tools: { look: { execute: () => 'x', timeoutMs: notSet } } }],
])('[SE503] run and workers say that %s is no amount, before a model is asked', async (name, options) => {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  const wrong = `${name} must be 0 or more, got NaN`
  await expect(run(thread, { model, ...options })).rejects.toThrow(wrong)
  expect(() => journal.work({ model, thread: { for: 'openai' }, ...options })).toThrow(wrong)
  expect((await thread.status()).state).toBe('waiting')
  await journal.close()
})
