import { describe, expect, test } from 'vitest'
import { eraseThread } from '../../../../src/journal/erasure/erase-thread.ts'
import type { StoredMetadata } from '../../../../src/journal/metadata/stored-metadata.ts'
import type { Store, ThreadOrder } from '../../../../src/journal/stores/store.ts'
import { submit } from '../../sample-entries.ts'
import { type Fixture, range, seqs } from './fixture.ts'

const first: StoredMetadata = {
  title: 'A "trip"',
  labels: ['support', '漢字 🙂'],
  data: { user: 7, note: '\0' },
  revision: 1,
}
const second: StoredMetadata = { labels: ['done'], data: [null, '\ud800'], revision: 2 }

const namesOf = async (store: Store, after: number, limit: number, order?: ThreadOrder): Promise<string[]> =>
  (await store.list(after, limit, order)).map(({ name }) => name)

/** Lets everything else go on: a store in memory would never leave off otherwise. */
const turnOfOthers = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export function checkMetadata(fixture: Fixture): void {
  describe('metadata', () => {
    test('[W99] the metadata of a thread is in its row for everyone, and is neither an entry nor a new head', async () => {
      const { store } = fixture
      const { thread } = await store.open('t')
      await store.open('other')
      expect(await store.describe(thread, first)).toBe(true)
      expect(await store.read(thread, 0)).toEqual([])
      expect((await fixture.accept({ thread, entries: [submit(), submit('more')], head: 0 })).head).toBe(2)
      expect(await store.describe(thread, second)).toBe(true)
      for (const one of [store, await fixture.reopen()]) {
        const row = await one.get(thread)
        expect(row).toMatchObject({ head: 2, epoch: 0, state: 'idle', metadata: second })
        expect(row.metadata).toEqual(second)
        expect(await one.open('t')).toEqual(row)
        expect(await one.find('t')).toEqual(row)
        expect((await one.list(0, 10)).map(({ metadata }) => metadata)).toEqual([second, undefined])
        expect(seqs(await one.read(thread, 0))).toEqual([1, 2])
      }
    })

    test('[W100] metadata is replaced only by its next revision, and of two writers at once one succeeds', async () => {
      const { store } = fixture
      const { thread } = await store.open('t')
      expect(await store.describe(thread, second)).toBe(false)
      const others = await Promise.all(range(1, 4).map(() => fixture.reopen()))
      for (const revision of [1, 2, 3]) {
        const drafts = others.map((_, index) => ({ labels: [`by ${index}`], revision }))
        const done = await Promise.all(others.map((one, index) => one.describe(thread, drafts[index])))
        expect(done.filter(isDone => isDone)).toHaveLength(1)
        expect((await store.get(thread)).metadata).toEqual(drafts[done.indexOf(true)])
      }
      expect(await store.describe(thread, { labels: [], revision: 3 })).toBe(false)
      await expect(store.describe(thread + 1_000, first)).rejects.toMatchObject({ code: 'unknown-thread' })
    })

    test('[W101] metadata is erased with its thread, and an erased thread gets none', async () => {
      const { store } = fixture
      for (const entries of [0, 5]) {
        const { thread } = await store.open(`thread of ${entries}`)
        await store.describe(thread, first)
        if (entries > 0) await fixture.accept({ thread, entries: range(1, entries).map(index => submit(index)) })
        expect(await store.erase(thread, { limit: 2 })).toBe('partly')
        for (let isOver = false; !isOver; ) {
          expect(await store.get(thread)).not.toHaveProperty('metadata')
          await expect(store.describe(thread, second)).rejects.toMatchObject({ code: 'thread-erased' })
          isOver = (await store.erase(thread, { limit: 2 })) === 'erased'
        }
        expect(await store.get(thread)).not.toHaveProperty('metadata')
        await expect(store.describe(thread, first)).rejects.toMatchObject({ code: 'thread-erased' })
      }
    })

    test('[W101] metadata that races with an erasure is stored before it and erased, or is refused', async () => {
      const others = await Promise.all(range(1, 3).map(() => fixture.reopen()))
      for (const round of range(1, 5)) {
        const { thread } = await fixture.store.open(`thread ${round}`)
        const describing = others.map(async one => {
          for (;;) {
            const { metadata } = await one.get(thread)
            await one.describe(thread, { ...first, revision: (metadata?.revision ?? 0) + 1 })
            await turnOfOthers()
          }
        })
        const refusals = Promise.allSettled(describing)
        while (((await fixture.store.get(thread)).metadata?.revision ?? 0) < round) await turnOfOthers()
        expect(await eraseThread(fixture.store, thread)).toBe(true)
        for (const refusal of await refusals)
          expect(refusal).toMatchObject({ status: 'rejected', reason: { code: 'thread-erased' } })
        expect(await fixture.store.get(thread)).not.toHaveProperty('metadata')
      }
    })

    test('[W101] a thread that gets metadata is not idle', async () => {
      const { store } = fixture
      const { thread, updatedAt } = await store.open('t')
      await fixture.pass(20)
      await store.describe(thread, first)
      expect((await store.get(thread)).updatedAt).toBeGreaterThan(updatedAt)
      expect(await eraseThread(store, thread, { idleSince: updatedAt })).toBe(false)
    })

    test('[W102] threads are listed in the order of their creation or the newest first, page by page', async () => {
      const { store } = fixture
      const rows = []
      for (const index of range(1, 5)) rows.push(await store.open(`t${index}`))
      await eraseThread(store, rows[2].thread)
      const last = Number.MAX_SAFE_INTEGER
      const names = await fixture.inOrder(['t1', 't2', 't4', 't5'])
      const reversed = names.toReversed()
      const [first, second] = await Promise.all(names.map(async name => (await store.find(name))?.thread ?? 0))
      expect(await namesOf(store, 0, 10, 'oldest')).toEqual(names)
      expect(await namesOf(store, last, 10, 'newest')).toEqual(reversed)
      expect(await namesOf(store, last, 3, 'newest')).toEqual(reversed.slice(0, 3))
      expect(await namesOf(store, second, 3, 'newest')).toEqual(names.slice(0, 1))
      expect(await namesOf(store, second, 3)).toEqual(names.slice(2))
      expect(await namesOf(store, first, 3, 'newest')).toEqual([])
    })
  })
}
