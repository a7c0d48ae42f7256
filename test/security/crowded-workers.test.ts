import { expect, test } from 'vitest'
import { openJournal, run, type Thread } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

test('[SE453] a worker reads the threads that are due in proportion to their number, however many of them back off', async () => {
  await using journal = await openJournal('memory:')
  const count = 1_000
  const pay = { approval: true, execute: () => 'paid' }
  for (let index = 0; index < count; index++) {
    const thread = journal.thread(`chat-${index}`, { for: 'openai' })
    await thread.submit('Pay')
    await run(thread, { model: () => calls(['pay', {}]), tools: { pay } })
    for (const { id } of await thread.openCalls()) await thread.approve(id)
  }
  await journal.thread('last', { for: 'openai' }).submit('Hi')
  let read = 0
  const { store } = journal
  const due = store.due.bind(store)
  store.due = async limit => {
    const rows = await due(limit)
    read += rows.length
    return rows
  }
  const failed = new Set<string>()
  let end = (): void => {}
  const ended = new Promise<void>(resolve => (end = resolve))
  // It does not have the tool that was approved, so it leaves those threads to another worker.
  const worker = journal.work({
    ...{ model: () => says('Ho'), thread: { for: 'openai' }, pollMs: 60_000 },
    onError: thread => void failed.add(thread),
    onEvent: (_, { kind }) => void (kind === 'turn-end' && end()),
  })
  await ended
  await worker.stop()
  expect(failed.size).toBeGreaterThan(count / 2)
  expect(read).toBeLessThan(10 * count)
})

interface Gate {
  readonly promise: Promise<void>
  resolve(): void
}

function gate(): Gate {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => (resolve = done))
  return { promise, resolve }
}

test('[SE453] a worker leaves an approved call to one that has its tool, also if it was approved after the thread was found due', async () => {
  await using journal = await openJournal('memory:')
  const pay = { approval: true, execute: () => 'paid' }
  const ask = async (name: string) => {
    const thread = journal.thread(name, { for: 'openai' })
    await thread.submit('Pay')
    return thread
  }
  const approved = async (thread: Thread) => {
    await run(thread, { model: () => calls(['pay', {}]), tools: { pay } })
    for (const { id } of await thread.openCalls()) await thread.approve(id)
  }
  for (let index = 0; index < 70; index++) await approved(await ask(`chat-${index}`))
  await journal.thread('slow', { for: 'openai' }).submit('Hi')
  const late = await ask('late')
  const started = gate()
  const released = gate()
  const left = gate()
  const worker = journal.work({
    ...{ thread: { for: 'openai' }, threads: 1 },
    async model({ messages }) {
      if (JSON.stringify(messages).includes('Hi')) {
        started.resolve()
        await released.promise
      }
      return says('Ho')
    },
    onError: thread => void (thread === 'late' && left.resolve()),
    onEvent: (thread, { kind }) => void (thread === 'late' && kind === 'turn-end' && left.resolve()),
  })
  await started.promise
  await approved(late)
  released.resolve()
  await left.promise
  await worker.stop()
  expect(await late.openCalls()).toMatchObject([{ name: 'pay' }])
})
