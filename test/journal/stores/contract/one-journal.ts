import { describe, expect, test } from 'vitest'
import type { Store } from '../../../../src/journal/stores/store.ts'
import { respond, settle, submit } from '../../sample-entries.ts'
import { expectEach, writeUntilAccepted } from './contend.ts'
import { type Fixture, isKnown, long, picture, range } from './fixture.ts'

export function checkOneJournal(fixture: Fixture): void {
  describe('stores on one journal', () => {
    test('[W48] each sees what the other writes, and they fence each other', async () => {
      const [one, two] = [fixture.store, await fixture.reopen()]
      const { thread } = await one.open('t')
      expect(await two.open('t')).toEqual(await one.get(thread))
      await fixture.accept({ thread, entries: [submit()], lease: { owner: 'one', ms: 0 } })
      expect(await two.read(thread, 0)).toEqual(await one.read(thread, 0))
      const taken = await two.write({ thread, entries: [respond(1)], head: 1, lease: long('two') })
      expect(taken).toMatchObject({ ok: true, head: 2, epoch: 2 })
      await fixture.refuse({ thread, entries: [settle(2)], head: 2, epoch: 1 }, 'fenced')
      await fixture.refuse({ thread, entries: [], lease: long('one') }, 'leased')
      expect(await one.renew(thread, 1, 1_000)).toBe(false)
      await fixture.accept({ thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } })
      const again = await two.write({ thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } })
      expect(again).toMatchObject({ ok: false, why: 'known', known: { digest: 'd', seq: 3 } })
    })

    test('[W49] writers of two stores on one thread leave no gaps and lose nothing', async () => {
      const stores = [fixture.store, await fixture.reopen()]
      const { thread } = await fixture.store.open('t')
      await Promise.all(range(1, 40).map(writer => writeUntilAccepted(stores[writer % 2], thread, writer)))
      await expectEach(fixture.store, thread, 40)
    })

    test('[W50] every acknowledged write is there when the journal is opened again', async () => {
      const { thread, step } = await fixture.threadWithCalls(2)
      await fixture.accept({ thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } })
      await fixture.accept({ thread, entries: [submit()], lease: long('a'), state: 'running', dueAt: 7 })
      const seen = async (store: Store) => ({ ...(await picture(store, thread)), list: await store.list(0, 10) })
      const before = await seen(fixture.store)
      if (fixture.opened.reopen) await fixture.store.close()
      const again = await fixture.reopen()
      expect(await seen(again)).toEqual(before)
      expect(await isKnown(again, thread, 'k')).toBe(true)
      const settled = await again.write({ thread, entries: [settle(step)], head: before.row.head, epoch: 1 })
      expect(settled.ok).toBe(true)
    })

    test('[W51] closing waits for writes in progress; every later operation is refused', async () => {
      const { store } = fixture
      const { thread } = await store.open('t')
      const writing = range(1, 20).map(index => store.write({ thread, entries: [submit(index)] }))
      await store.close()
      expect((await Promise.all(writing)).map(({ ok }) => ok)).toEqual(writing.map(() => true))
      const uses: (() => Promise<unknown>)[] = [
        ...[() => store.open('t'), () => store.find('t'), () => store.get(thread), () => store.read(thread, 0)],
        ...[() => store.write({ thread, entries: [] }), () => store.renew(thread, 0, 1), () => store.now()],
        ...[() => store.due(1), () => store.list(0, 1), () => store.erase(thread)],
      ]
      for (const use of uses) await expect(use()).rejects.toEqual(expect.objectContaining({ code: 'journal-closed' }))
      await store.close()
      if (fixture.opened.reopen) expect(await (await fixture.reopen()).read(thread, 0)).toHaveLength(20)
    })
  })
}
