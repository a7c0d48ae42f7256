import { describe, expect, test } from 'vitest'
import type { ExpireOptions } from '../../../src/journal/erasure/expire-threads.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { run } from '../../../src/journal/run.ts'
import type { Store, ThreadRow } from '../../../src/journal/stores/store.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { ToolContext } from '../../../src/journal/tool-run.ts'
import type { Fixture } from './fixture.ts'
import { calls, scripted } from './model.ts'
import { taken } from './turn.ts'

const erased = expect.objectContaining({ code: 'thread-erased' })

/** The store, with other answers to some questions. */
const answering = (store: Store, answers: Partial<Store>): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(answers, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The store when all is due that is due at any time. */
const allDue = (store: Store): Store =>
  answering(store, { due: async () => (await store.list(0, 10)).filter(({ dueAt }) => dueAt !== undefined) })

const present = async (store: Store, name: string): Promise<ThreadRow> => {
  const row = await store.find(name)
  if (!row) throw new Error(`there is no thread ${name}`)
  return row
}

const namesOf = async (journal: Journal): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of journal.threads()) names.push(name)
  return names
}

const dayMs = 24 * 3_600_000

/** Everything that anyone may do with a thread. */
const uses = (thread: Thread): (() => Promise<unknown>)[] => [
  ...[() => thread.submit('late'), () => thread.submit('late', { key: 'k' })],
  ...[() => thread.submit('late', { whenBusy: 'reject' }), () => thread.submit('late', { whenApproving: 'deny' })],
  ...[() => thread.messages(), () => thread.status(), () => thread.openCalls(), () => thread.notes()],
  ...[() => thread.branches(), () => thread.fork(), () => thread.switch(1), () => thread.edit(1, 'late')],
  ...[() => thread.regenerate(), () => thread.compact({ summary: 'S' }), () => thread.expand()],
  ...[() => thread.approve('a-1-0'), () => thread.deny('a-1-0'), () => thread.settle('a-1-0', 'late')],
  ...[() => thread.interrupt(), () => thread.turn(), () => thread.watch().next()],
  ...[() => thread.metadata(), () => thread.describe({ title: 'late' })],
]

/** An erased thread is gone for everyone, and a process that works on it is stopped. */
export function checkErase(fixture: Fixture): void {
  describe('erasing a thread', () => {
    test('[B500] an erased thread is gone for every process, and so is its name', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      const { seq } = await thread.submit('Tell me about one', { key: 'k' })
      await fixture.during(run(thread, { model: scripted('One is the first.') }))
      await thread.edit(seq, 'Tell me about two')
      await fixture.during(run(thread, { model: scripted('Two is the second.') }))
      await other.thread().messages()
      expect(await here.thread({}, 'never used').erase()).toEqual({ isErased: false })
      expect(await other.thread().erase()).toEqual({ isErased: true })
      for (const process of [here, other, await fixture.process()]) {
        for (const use of uses(process.thread())) await expect(use(), String(use)).rejects.toEqual(erased)
        expect(await namesOf(process.journal)).toEqual([])
        expect(await process.thread().erase()).toEqual({ isErased: false })
      }
    })

    test.for([
      { where: 'this process', isOther: false },
      { where: 'another process', isOther: true },
    ])('[B501] a turn that runs is stopped by an erasure from $where, and writes nothing more', async ({ isOther }) => {
      const here = await fixture.process()
      const eraser = isOther ? await fixture.process() : here
      const thread = here.thread({ graceMs: 0 })
      await thread.submit('Look at this, please')
      let reason: unknown
      let entered = false
      const execute = (_: never, { signal }: ToolContext) =>
        new Promise(resolve => {
          entered = true
          signal.addEventListener('abort', () => {
            reason = signal.reason
            resolve('a cat')
          })
        })
      const model = scripted([['look']])
      const running = Promise.resolve(run(thread, { model, tools: { look: { execute } } }))
      const failed = running.catch(error => error)
      await fixture.until(() => entered)
      await eraser.thread().erase()
      expect(await fixture.during(failed)).toEqual(erased)
      expect(reason).toEqual(erased)
      expect(await here.store.find('t')).toMatchObject({ state: 'erased', head: 0 })
    })

    test('[B501] the owner of an erased thread gets the same error from every write', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await thread.submit('Look at this, please')
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look']))
      await other.thread().erase()
      for (const write of [
        ...[() => turn.start(call), () => turn.settle(call, 'a cat'), () => turn.parkCall(call, 'approval')],
        ...[() => turn.handOver(), () => turn.finish(), () => turn.perform(call, () => 'a cat')],
      ])
        await expect(write(), String(write)).rejects.toEqual(erased)
      await fixture.until(() => turn.signal.aborted)
      await turn[Symbol.asyncDispose]()
    })

    test('[B502] an erasure that was cut off is continued by a worker, or by the next call of erase', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      for (const name of ['by a worker', 'again']) {
        const { seq } = await here.thread({}, name).submit('Tell me about one')
        const row = await here.store.find(name)
        expect(seq).toBe(1)
        expect(await here.store.erase(row?.thread ?? 0)).toBe('partly')
      }
      expect(await namesOf(here.journal)).toEqual([])
      expect(await other.thread({}, 'again').erase()).toEqual({ isErased: true })
      expect(await here.store.find('again')).toMatchObject({ head: 0, state: 'erased' })
      const begun = await here.store.find('by a worker')
      expect(begun).toMatchObject({ head: 1, state: 'erased' })
      expect(begun?.dueAt).toBeGreaterThan(await here.store.now())
      const journal = new Journal(allDue(other.store), other.clock, 'worker')
      const worker = journal.work({ model: scripted(), thread: { for: 'openai' }, pollMs: 20 })
      await fixture.until(async () => (await here.store.find('by a worker'))?.head === 0)
      await fixture.during(worker.stop())
    })

    test('[B504] threads that were not written for some days expire, whatever they wait for, and no others', async () => {
      const here = await fixture.process()
      const { store } = here
      await here.thread({}, 'old').submit('Tell me about one')
      await here.thread({}, 'waits').submit('Look at this, please')
      const turn = await taken(here.thread({}, 'waits'))
      const [call] = await turn.record(calls(['look']))
      await turn.parkCall(call, 'approval')
      await turn.park()
      const { updatedAt: old } = await present(store, 'waits')
      await fixture.pass(20)
      await here.thread({}, 'cut off').submit('Tell me about one')
      await store.erase((await present(store, 'cut off')).thread)
      await here.thread({}, 'new').submit('Tell me about two')
      const now = old + 10 * dayMs
      const journal = new Journal(answering(store, { now: async () => now }), here.clock, 'expirer')
      const names = async (options: ExpireOptions) => (await journal.expire(options)).map(({ name }) => name)
      expect(await names({ idleDays: 11 })).toEqual([])
      expect(await names({ idleDays: 10, dryRun: true })).toEqual(['old', 'waits'])
      expect((await present(store, 'old')).state).toBe('idle')
      expect(await names({ idleDays: 10 })).toEqual(['old', 'waits'])
      expect(await names({ idleDays: 10 })).toEqual([])
      for (const name of ['old', 'waits', 'cut off'])
        expect(await present(store, name)).toMatchObject({ state: 'erased', head: 0 })
      expect(await namesOf(journal)).toEqual(['new'])
      for (const idleDays of [0, -1, Number.NaN])
        await expect(journal.expire({ idleDays })).rejects.toMatchObject({ code: 'wrong-number' })
    })

    test('[B504] a thread that is written while others expire does not', async () => {
      const here = await fixture.process()
      const { store } = here
      for (const name of ['one', 'two']) await here.thread({}, name).submit('Tell me about it')
      const now = (await present(store, 'two')).updatedAt + dayMs
      await fixture.pass(20)
      const erase: Store['erase'] = async (thread, options) => {
        if ((await store.get(thread)).name === 'two') await here.thread({}, 'two').submit('And more')
        return store.erase(thread, options)
      }
      const journal = new Journal(answering(store, { now: async () => now, erase }), here.clock, 'expirer')
      expect(await journal.expire({ idleDays: 1 })).toMatchObject([{ name: 'one', head: 1 }])
      expect(await present(store, 'two')).toMatchObject({ head: 2, state: 'idle' })
    })

    test('[B503] a worker whose thread is erased reports that, and goes on with others', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const errors: unknown[] = []
      let isErased = false
      const model = scripted(async () => {
        await other.thread().erase()
        isErased = true
        return calls(['look'])
      }, 'Two is the second.')
      await here.thread().submit('Tell me about one')
      const worker = here.journal.work({
        ...{ model, thread: { for: 'openai' }, pollMs: 20, threads: 1 },
        onError: (thread, error) => errors.push([thread, error]),
      })
      await fixture.until(() => isErased)
      await here.thread({}, 'second').submit('And two?')
      await fixture.until(async () => (await here.thread({}, 'second').status()).last?.status === 'done')
      await fixture.during(worker.stop())
      expect(errors).toEqual([['t', erased]])
    })
  })
}
