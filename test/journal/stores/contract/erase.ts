import { describe, expect, test } from 'vitest'
import { eraseThread } from '../../../../src/journal/erasure/erase-thread.ts'
import { tombstoneName } from '../../../../src/journal/erasure/tombstone.ts'
import type { Store, Write } from '../../../../src/journal/stores/store.ts'
import { admit, respond, settle, submit } from '../../sample-entries.ts'
import { type Fixture, long, picture, range } from './fixture.ts'

const erased = expect.objectContaining({ code: 'thread-erased' })

/** Everything that can be done with a thread. */
const uses = (store: Store, thread: number): (() => Promise<unknown>)[] => [
  () => store.read(thread, 0),
  () => store.read(thread, 1_000),
  () => store.renew(thread, 1, 1_000),
  ...writesTo(thread).map(write => () => store.write(write)),
]

const writesTo = (thread: number): Write[] => [
  { thread, entries: [submit()] },
  { thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } },
  { thread, entries: [submit()], head: 0, epoch: 0 },
  { thread, entries: [settle(3)], head: 3 },
  { thread, entries: [], dueAt: 'now' },
  { thread, entries: [], lease: long('late') },
  { thread, entries: [submit()], onlyIf: 'idle', state: 'running' },
]

/** Lets everything else go on: a store in memory would never leave off otherwise. */
const others = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export function checkErase(fixture: Fixture): void {
  /** A thread with an owner, keys of inputs, and open calls. */
  const busyThread = async (name: string): Promise<number> => {
    const { thread } = await fixture.store.open(name)
    await fixture.accept({ thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' }, lease: long('a') })
    await fixture.accept({ thread, entries: [admit(1), respond(2)], head: 1, epoch: 1, state: 'running', dueAt: 'now' })
    await fixture.accept({ thread, entries: [submit('also')] })
    return thread
  }

  describe('erasing', () => {
    test('[W95] nothing is left of an erased thread but a tombstone, and every use of it is refused', async () => {
      const [gone, kept] = [await busyThread('gone'), await busyThread('kept')]
      const before = await picture(fixture.store, kept)
      const { uid, createdAt } = await fixture.store.get(gone)
      expect(await eraseThread(fixture.store, gone)).toBe(true)
      const { updatedAt, ...tombstone } = await fixture.store.get(gone)
      expect(tombstone).toEqual({
        ...{ thread: gone, uid, createdAt, name: tombstoneName('gone'), state: 'erased' },
        ...{ head: 0, epoch: 2, leasedUntil: 0, openCalls: 0 },
      })
      expect(await fixture.store.find('gone')).toEqual({ ...tombstone, updatedAt })
      for (const use of [...uses(fixture.store, gone), () => fixture.store.open('gone')])
        await expect(use(), String(use)).rejects.toEqual(erased)
      for (const other of [fixture.store, await fixture.reopen()]) {
        expect((await other.list(0, 10)).map(({ name }) => name)).toEqual(['kept'])
        expect((await other.due(10)).map(({ name }) => name)).toEqual([])
        await expect(other.open('gone')).rejects.toEqual(erased)
        expect(await picture(other, kept)).toEqual(before)
      }
      expect(await eraseThread(fixture.store, gone)).toBe(true)
      expect(await fixture.store.get(gone)).toEqual({ ...tombstone, updatedAt })
    })

    test('[W96] from the first step on nothing can be read or written, and any process can continue', async () => {
      const thread = await busyThread('t')
      await fixture.accept({ thread, entries: range(1, 10).map(index => submit(index)) })
      const other = await fixture.reopen()
      expect(await fixture.store.erase(thread, { limit: 4 })).toBe('partly')
      const heads: number[] = []
      for (const store of [other, fixture.store, other, fixture.store]) {
        const { head, name, state, epoch, openCalls, dueAt } = await store.get(thread)
        heads.push(head)
        expect({ name, state, epoch, openCalls }).toEqual({ name: 't', state: 'erased', epoch: 2, openCalls: 0 })
        // It is continued after a while if nobody does it now.
        expect(dueAt).toBeGreaterThan(await store.now())
        expect((await store.list(0, 10)).map(({ name }) => name)).toEqual(['t'])
        for (const use of [...uses(fixture.store, thread), () => other.open('t')])
          await expect(use(), String(use)).rejects.toEqual(erased)
        expect(await store.erase(thread, { limit: 4 })).toBe(head > 4 ? 'partly' : 'erased')
      }
      expect(heads).toEqual([14, 10, 6, 2])
      expect(await other.list(0, 10)).toEqual([])
      expect(await other.erase(thread)).toBe('erased')
      await expect(fixture.store.erase(thread + 1_000)).rejects.toMatchObject({ code: 'unknown-thread' })
    })

    test('[W97] a thread that was written since a given time, or whose lease was extended, is not erased', async () => {
      const thread = await busyThread('t')
      const { updatedAt } = await fixture.store.get(thread)
      const before = await picture(fixture.store, thread)
      expect(await fixture.store.erase(thread, { idleSince: updatedAt - 1 })).toBe('active')
      expect(await picture(fixture.store, thread)).toEqual(before)
      await fixture.pass(50)
      expect(await fixture.store.renew(thread, 1, 60_000)).toBe(true)
      expect(await eraseThread(fixture.store, thread, { idleSince: updatedAt })).toBe(false)
      expect(await fixture.store.read(thread, 0)).toEqual(before.entries)
      // Once it has begun it is finished, however long that takes.
      const idleSince = (await fixture.store.get(thread)).updatedAt
      await fixture.pass(50)
      expect(await eraseThread(fixture.store, thread, { idleSince })).toBe(true)
    })

    test('[W98] a write that races with an erasure is stored before it and erased, or is refused', async () => {
      const stores = [fixture.store, await fixture.reopen()]
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()] })
      /** Writes until it is refused as erased, and says how often it was accepted. */
      const write = async (writer: number): Promise<number> => {
        for (let accepted = 0, index = writer; ; index += 7) {
          const input = index % 3 === 0 ? { input: { key: `k${index}`, digest: 'd' } } : {}
          const entries = [index % 4 === 0 ? respond(1) : submit(index)]
          try {
            if ((await stores[writer % 2].write({ thread, entries, ...input })).ok) accepted++
          } catch (error) {
            expect(error).toEqual(erased)
            return accepted
          }
          await others()
        }
      }
      const writing = Promise.all(range(1, 7).map(write))
      while ((await fixture.store.get(thread)).head < 10) await others()
      await Promise.all(stores.map(store => eraseThread(store, thread)))
      expect((await writing).reduce((sum, accepted) => sum + accepted)).toBeGreaterThan(8)
      expect(await fixture.store.get(thread)).toMatchObject({ head: 0, openCalls: 0, state: 'erased' })
      await expect(fixture.store.read(thread, 0)).rejects.toEqual(erased)
    })
  })
}
