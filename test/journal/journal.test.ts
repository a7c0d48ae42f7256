import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { EventQueue } from '../../src/journal/event-queue.ts'
import { openJournal, run } from '../../src/journal/index.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { eventually } from '../eventually.ts'
import { says } from './contract/model.ts'

const model = () => says('Hi.')

test('[B196] a journal is opened by its location, and its content is there when it is opened again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-journal-'))
  const where = `sqlite:${join(folder, 'chat.db')}`
  {
    await using journal = await openJournal(where)
    const thread = journal.thread('user-42', { for: 'anthropic' })
    await thread.submit('Hello', { key: 'k' })
    expect(await run(thread, { model })).toEqual({ status: 'done', turn: 1 })
  }
  {
    await using journal = await openJournal(where, { readOnly: true })
    expect(await journal.thread('user-42').messages()).toMatchObject([{ content: 'Hello' }, { content: 'Hi.' }])
  }
  rmSync(folder, { recursive: true })
})

test('[B196] a custom store works as a journal too, and uses the given clock', async () => {
  const now = () => 42
  const journal = await openJournal(new MemoryStore({ now }), { owner: 'me', clock: { now, after: () => () => {} } })
  const thread = journal.thread('t')
  await thread.submit('Hello')
  const turn = await thread.turn()
  expect(await journal.store.get(1)).toMatchObject({ owner: 'me', leasedUntil: 42 + 15_000 })
  await turn?.finish()
})

test('[B196] an unusable location is not opened', async () => {
  for (const where of ['', 'chat.db', 'sqlite:', 'mysql://localhost', 'memory'])
    await expect(openJournal(where)).rejects.toMatchObject({ code: 'unknown-store' })
})

test('[B197] using a closed journal is an error that says so', async () => {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t')
  await thread.submit('Hello')
  await journal.close()
  for (const ask of [
    () => thread.submit('Hello?'),
    () => thread.turn(),
    () => thread.messages(),
    () => run(thread, { model }),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'journal-closed' })
})

test('[B198] all threads are listed, also if there are more than one page', async () => {
  const journal = await openJournal('memory:')
  const names = Array.from({ length: 1_001 }, (_, index) => `thread ${index}`)
  for (const name of names) await journal.thread(name).submit('Hello')
  const listed = []
  for await (const { name } of journal.threads()) listed.push(name)
  expect(listed).toEqual(names)
})

test('[B237] no events are kept for an iterator that was left', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const queue = new EventQueue<object>()
  await queue[Symbol.asyncIterator]().return?.()
  const kept = Array.from({ length: 100 }, () => {
    const event = {}
    queue.push(event)
    return new WeakRef(event)
  })
  await sleep(1)
  collectGarbage()
  expect(kept.filter(event => event.deref())).toHaveLength(0)
})

test('[B238] the error of a run that is neither awaited nor iterated is an unhandled rejection; otherwise it is not', async () => {
  const journal = await openJournal('memory:')
  const names = ['left alone', 'awaited', 'read']
  for (const name of names) await journal.thread(name).submit('Hello')
  const failing = (name: string) =>
    run(journal.thread(name), { model: () => Promise.reject(new Error(`${name}: failed`)) })
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  const unhandled: unknown[] = []
  process.on('unhandledRejection', error => unhandled.push((error as Error).message))
  try {
    const [, awaited, read] = names.map(failing)
    const reading = read[Symbol.asyncIterator]()
    await expect(awaited).rejects.toThrow('awaited: failed')
    await eventually(() => expect(unhandled).toHaveLength(1))
    await sleep(20)
    expect(unhandled).toEqual(['left alone: failed'])
    for (const kind of ['turn-start', 'input', 'turn-end'])
      expect(await reading.next()).toMatchObject({ value: { kind } })
    await expect(reading.next()).rejects.toThrow('read: failed')
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
})

test('[B245] a journal releases a worker that has stopped', async () => {
  const journal = await openJournal('memory:')
  const worker = journal.work({ model, thread: { for: 'openai' } })
  await worker.stop()
  const stop = vi.spyOn(worker, 'stop')
  await journal.close()
  expect(stop).not.toHaveBeenCalled()
})
