import { describe, expect, test } from 'vitest'
import type { ThreadRow } from '../../../../src/journal/stores/store.ts'
import { respond, submit } from '../../sample-entries.ts'
import { type Ground, long, range } from './ground.ts'

export function checkDue(ground: Ground): void {
  describe('what is to be done', () => {
    test('[W39] due threads are ordered by due time, then by thread key', async () => {
      const names = ['a', 'b', 'c', 'd', 'e']
      const times = [3_000, 1_000, 2_000, 1_000, 'now'] as const
      for (const [index, name] of names.entries()) {
        const { thread } = await ground.store.open(name)
        await ground.accept({ thread, entries: [], dueAt: times[index] })
      }
      await ground.store.open('never due')
      const rows = await ground.store.due(10)
      expect(rows.map(({ name }) => name)).toEqual(['b', 'd', 'c', 'a', 'e'])
      expect(await ground.store.get(rows[0].thread)).toEqual(rows[0])
      expect((await ground.store.due(2)).map(({ name }) => name)).toEqual(['b', 'd'])
    })

    test('[W40] a thread is due when its time has come, until that is taken back', async () => {
      const { thread } = await ground.store.open('t')
      const dueNames = async () => (await ground.store.due(10)).map(({ name }) => name)
      const now = await ground.store.now()
      await ground.accept({ thread, entries: [], dueAt: now + 60_000 })
      expect(await dueNames()).toEqual([])
      expect((await ground.store.get(thread)).dueAt).toBe(now + 60_000)
      await ground.accept({ thread, entries: [], dueAt: now + 150 })
      await ground.pass(150)
      expect(await dueNames()).toEqual(['t'])
      await ground.accept({ thread, entries: [submit()], state: 'parked' })
      expect(await dueNames()).toEqual(['t'])
      await ground.accept({ thread, entries: [], dueAt: null })
      expect(await dueNames()).toEqual([])
      expect(await ground.store.get(thread)).not.toHaveProperty('dueAt')
      const { at } = await ground.accept({ thread, entries: [], dueAt: 'now' })
      expect((await ground.store.get(thread)).dueAt).toBe(at)
      expect(await dueNames()).toEqual(['t'])
    })

    test('[W40] a time that has passed stays when the thread is due anyway, until its owner gives it back', async () => {
      const { thread } = await ground.store.open('t')
      const dueAt = async () => (await ground.store.get(thread)).dueAt
      const passed = (await ground.store.now()) - 1_000
      await ground.accept({ thread, entries: [], dueAt: passed })
      await ground.accept({ thread, entries: [submit()], dueAt: 'now' })
      expect(await dueAt()).toBe(passed)
      await ground.accept({ thread, entries: [], lease: long('a'), dueAt: 'now' })
      expect(await dueAt()).toBe(passed)
      const { at } = await ground.accept({ thread, entries: [], release: true, dueAt: 'now' })
      expect(await dueAt()).toBe(at)
      await ground.accept({ thread, entries: [], dueAt: at + 60_000 })
      const { at: again } = await ground.accept({ thread, entries: [submit()], dueAt: 'now' })
      expect(await dueAt()).toBe(again)
    })

    test('[W41] a leased thread is not due until the lease ends', async () => {
      const { thread } = await ground.store.open('t')
      await ground.accept({ thread, entries: [], dueAt: 'now', lease: long('a') })
      expect(await ground.store.due(10)).toEqual([])
      await ground.accept({ thread, entries: [], release: true })
      expect(await ground.store.due(10)).toHaveLength(1)
      await ground.accept({ thread, entries: [], lease: { owner: 'b', ms: 150 } })
      await ground.pass(150)
      expect(await ground.store.due(10)).toMatchObject([{ name: 't', owner: 'b' }])
    })

    test('[W42] all threads are listed in the order of their keys, page by page', async () => {
      for (const index of range(1, 25)) await ground.store.open(`t${index}`)
      await ground.accept({ thread: (await ground.store.open('t3')).thread, entries: [submit(), respond(2)] })
      const seen: ThreadRow[] = []
      for (let page: ThreadRow[] = []; seen.length === 0 || page.length > 0; seen.push(...page)) {
        page = await ground.store.list(seen.at(-1)?.thread ?? 0, 10)
        expect(page.length).toBeLessThanOrEqual(10)
      }
      const keys = seen.map(({ thread }) => thread)
      expect(keys).toEqual(keys.toSorted((one, other) => one - other))
      expect(seen.map(({ name }) => name).toSorted()).toEqual(
        range(1, 25)
          .map(index => `t${index}`)
          .toSorted(),
      )
      for (const row of seen) expect(await ground.store.get(row.thread)).toEqual(row)
    })
  })
}
