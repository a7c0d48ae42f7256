import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openCheckpointer } from '../../src/integrations/langgraph/open-checkpointer.ts'
import { startProxy } from '../../src/integrations/proxy/index.ts'
import { openJournal, run, type Tools } from '../../src/journal/index.ts'

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

test('[SE503] waiting for a turn for no amount of time is an error', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  await expect(run(thread, { model, waitMs: notSet })).rejects.toThrow('waitMs must be 0 or more, got NaN')
})

test.each(['leaseMs', 'waitMs', 'busyMs'])('[SE503] a checkpointer says that %s is no amount', async name => {
  const opening = openCheckpointer('memory:', { [name]: notSet })
  await expect(opening).rejects.toThrow(`${name} must be 0 or more, got NaN`)
})

test('[SE503] what a run may leave out may be undefined, also a tool', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  const tools = { look: undefined } as unknown as Tools
  const options = { model, tools, maxSteps: Number.POSITIVE_INFINITY, agentLimits: { depth: Number.POSITIVE_INFINITY } }
  expect(await run(thread, options)).toMatchObject({ status: 'done' })
})

test('[SE503] the chat handlers say what is no amount, before a client is given up for it', async () => {
  const journal = await openJournal('memory:')
  for (const name of ['unreadMs', 'takeOverMs'])
    expect(() => chatHandler(journal, { model, [name]: notSet })).toThrow(`${name} must be 0 or more, got NaN`)
  for (const name of ['unreadMs', 'keepAliveMs', 'unreadBytes'])
    expect(() => agUiHandler(journal, { model, [name]: notSet })).toThrow(`${name} must be 0 or more, got NaN`)
  await journal.close()
})

test('[SE503] a journal says that busyMs or reconnectMs is no amount', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'amounts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const wrong = (name: string) => `${name} must be 0 or more, got NaN`
  const file = `sqlite:${join(folder, 'chat.db')}`
  await expect(openJournal(file, { busyMs: notSet })).rejects.toThrow(wrong('busyMs'))
  const url = 'postgres://127.0.0.1:1/nothing'
  for (const name of ['busyMs', 'reconnectMs'])
    await expect(openJournal(url, { [name]: notSet })).rejects.toThrow(wrong(name))
})

test.each(['maxBytes', 'timeoutMs', 'connectMs', 'requestMs'])(
  '[SE503] the proxy says that %s is no amount',
  async name => {
    const options = { to: 'http://127.0.0.1:1', port: 0, [name]: notSet }
    await expect(startProxy(options)).rejects.toThrow(`${name} must be 0 or more, got NaN`)
  },
)

test('[SE503] the proxy says that the graceMs of its end is no amount, and can be closed after that', async () => {
  const proxy = await startProxy({ to: 'http://127.0.0.1:1', port: 0 })
  await expect(proxy.close({ graceMs: notSet })).rejects.toThrow('graceMs must be 0 or more, got NaN')
  await proxy.close()
  await expect(fetch(proxy.url)).rejects.toThrow()
})

test.each([false, true])('[SE503] a watch after no position says so at once (live: %s)', async live => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  for (const after of [notSet, Number.POSITIVE_INFINITY, 1.5])
    await expect(thread.watch({ after, live } as { after: number }).next()).rejects.toMatchObject({
      code: 'wrong-option',
    })
})

test('[SE570] an unknown value of an option of a thread is refused, before anything is stored', async () => {
  await using journal = await openJournal('memory:')
  const open = (options: object) => () => journal.thread('t', { for: 'openai', ...options })
  expect(open({ lateResults: 'hide' })).toThrow('unknown value of lateResults: "hide"')
  expect(open({ messages: 'shared' })).toThrow('unknown value of messages: "shared"')
  const thread = open({})()
  for (const name of ['whenBusy', 'whenApproving'])
    await expect(thread.submit('Hello', { [name]: 'Queue' })).rejects.toThrow(`unknown value of ${name}: "Queue"`)
  await expect(thread.switch(1, { whenBusy: 'queue' as never })).rejects.toThrow('unknown value of whenBusy: "queue"')
  expect(await thread.status()).toMatchObject({ state: 'idle', waiting: 0 })
})
