import { describe, expect, test } from 'vitest'
import type { ThreadRow } from '../../../../src/journal/stores/store.ts'
import { respond, submit } from '../../sample-entries.ts'
import { type Fixture, long, range } from './fixture.ts'

export function checkDue(fixture: Fixture): void {
  describe('what is to be done', () => {
    test('[W39] due threads are ordered by due time, then by thread key', async () => {
      const names = ['a', 'b', 'c', 'd', 'e']
      const times = [3_000, 1_000, 2_000, 1_000, 'now'] as const
      for (const [index, name] of names.entries()) {
        const { thread } = await fixture.store.open(name)
        await fixture.accept({ thread, entries: [], dueAt: times[index] })
      }
      await fixture.store.open('never due')
      const rows = await fixture.store.due(10)
      const equal = await fixture.inOrder(['b', 'd'])
      expect(rows.map(({ name }) => name)).toEqual([...equal, 'c', 'a', 'e'])
      expect(await fixture.store.get(rows[0].thread)).toEqual(rows[0])
      expect((await fixture.store.due(2)).map(({ name }) => name)).toEqual(equal)
    })

    test('[W40] a thread is due when its time has come, until that is taken back', async () => {
      const { thread } = await fixture.store.open('t')
      const dueNames = async () => (await fixture.store.due(10)).map(({ name }) => name)
      const now = await fixture.store.now()
      await fixture.accept({ thread, entries: [], dueAt: now + 60_000 })
      expect(await dueNames()).toEqual([])
      expect((await fixture.store.get(thread)).dueAt).toBe(now + 60_000)
      await fixture.accept({ thread, entries: [], dueAt: now + 150 })
      await fixture.pass(150)
      expect(await dueNames()).toEqual(['t'])
      await fixture.accept({ thread, entries: [submit()], state: 'parked' })
      expect(await dueNames()).toEqual(['t'])
      await fixture.accept({ thread, entries: [], dueAt: null })
      expect(await dueNames()).toEqual([])
      expect(await fixture.store.get(thread)).not.toHaveProperty('dueAt')
      const { at } = await fixture.accept({ thread, entries: [], dueAt: 'now' })
      expect((await fixture.store.get(thread)).dueAt).toBe(at)
      expect(await dueNames()).toEqual(['t'])
    })

    test('[W40] a time that has passed stays when the thread is due anyway, until its owner gives it back', async () => {
      const { thread } = await fixture.store.open('t')
      const dueAt = async () => (await fixture.store.get(thread)).dueAt
      const passed = (await fixture.store.now()) - 1_000
      await fixture.accept({ thread, entries: [], dueAt: passed })
      await fixture.accept({ thread, entries: [submit()], dueAt: 'now' })
      expect(await dueAt()).toBe(passed)
      await fixture.accept({ thread, entries: [], lease: long('a'), dueAt: 'now' })
      expect(await dueAt()).toBe(passed)
      const { at } = await fixture.accept({ thread, entries: [], release: true, dueAt: 'now' })
      expect(await dueAt()).toBe(at)
      await fixture.accept({ thread, entries: [], dueAt: at + 60_000 })
      const { at: again } = await fixture.accept({ thread, entries: [submit()], dueAt: 'now' })
      expect(await dueAt()).toBe(again)
    })

    test('[W41] a leased thread is not due until the lease ends', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], dueAt: 'now', lease: long('a') })
      expect(await fixture.store.due(10)).toEqual([])
      await fixture.accept({ thread, entries: [], release: true })
      expect(await fixture.store.due(10)).toHaveLength(1)
      await fixture.accept({ thread, entries: [], lease: { owner: 'b', ms: 150 } })
      await fixture.pass(150)
      expect(await fixture.store.due(10)).toMatchObject([{ name: 't', owner: 'b' }])
    })

    test('[W42] all threads are listed in the order of their keys, page by page', async () => {
      for (const index of range(1, 25)) await fixture.store.open(`t${index}`)
      await fixture.accept({ thread: (await fixture.store.open('t3')).thread, entries: [submit(), respond(2)] })
      const seen: ThreadRow[] = []
      for (let page: ThreadRow[] = []; seen.length === 0 || page.length > 0; seen.push(...page)) {
        page = await fixture.store.list(seen.at(-1)?.thread ?? 0, 10)
        expect(page.length).toBeLessThanOrEqual(10)
      }
      const keys = seen.map(({ thread }) => thread)
      expect(keys).toEqual(keys.toSorted((one, other) => one - other))
      expect(seen.map(({ name }) => name).toSorted()).toEqual(
        range(1, 25)
          .map(index => `t${index}`)
          .toSorted(),
      )
      for (const row of seen) expect(await fixture.store.get(row.thread)).toEqual(row)
    })
  })
}
