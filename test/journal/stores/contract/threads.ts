import { describe, expect, test } from 'vitest'
import { submit } from '../../sample-entries.ts'
import type { Fixture } from './fixture.ts'

export function checkThreads(fixture: Fixture): void {
  describe('threads', () => {
    test('[W1] a name is one thread, no matter how many callers open it at once', async () => {
      const rows = await Promise.all(Array.from({ length: 20 }, () => fixture.store.open('one')))
      expect(new Set(rows.map(({ thread }) => thread)).size).toBe(1)
      expect(new Set(rows.map(({ uid }) => uid)).size).toBe(1)
      expect(await fixture.store.open('one')).toEqual(rows[0])
      expect(await fixture.store.find('one')).toEqual(rows[0])
      expect(await fixture.store.get(rows[0].thread)).toEqual(rows[0])
    })

    test('[W2] two names are the same only if every character is the same', async () => {
      const names = ['a', 'A', ' a', 'a ', '', 'é', 'e\u0301', "a'; --", '"a"', '%', '漢字🙂', 'x'.repeat(500)]
      const rows = await Promise.all(names.map(name => fixture.store.open(name)))
      expect(new Set(rows.map(({ thread }) => thread)).size).toBe(names.length)
      for (const [index, name] of names.entries()) {
        expect(rows[index].name).toBe(name)
        expect(await fixture.store.find(name)).toEqual(rows[index])
      }
    })

    test('[W3] every thread has a uid of its own that never changes', async () => {
      const rows = await Promise.all(Array.from({ length: 50 }, (_, index) => fixture.store.open(`thread ${index}`)))
      expect(new Set(rows.map(({ uid }) => uid)).size).toBe(50)
      for (const { uid } of rows) expect(uid).toMatch(/^[a-z0-9]+$/)
      await fixture.accept({ thread: rows[7].thread, entries: [submit()] })
      expect((await fixture.store.open('thread 7')).uid).toBe(rows[7].uid)
    })

    test('[W4] a new thread is empty and idle, and nothing holds its lease', async () => {
      const before = await fixture.store.now()
      const { thread, uid, createdAt, updatedAt, ...row } = await fixture.store.open('new')
      expect(row).toEqual({ name: 'new', head: 0, epoch: 0, leasedUntil: 0, state: 'idle', openCalls: 0 })
      expect(createdAt).toBeGreaterThanOrEqual(before)
      expect(createdAt).toBeLessThanOrEqual(await fixture.store.now())
      expect(updatedAt).toBe(createdAt)
      expect(await fixture.store.read(thread, 0)).toEqual([])
    })

    test('[W5] looking up a thread does not create it', async () => {
      expect(await fixture.store.find('nobody')).toBeUndefined()
      expect(await fixture.store.list(0, 10)).toEqual([])
    })

    test('[W6] accessing a thread that does not exist is an error', async () => {
      const { thread } = await fixture.store.open('the last one')
      const absent = thread + 1_000
      const refusal = expect.objectContaining({ code: 'unknown-thread' })
      await expect(fixture.store.get(absent)).rejects.toEqual(refusal)
      await expect(fixture.store.read(absent, 0)).rejects.toEqual(refusal)
      await expect(fixture.store.renew(absent, 0, 100)).rejects.toEqual(refusal)
      await expect(fixture.store.write({ thread: absent, entries: [submit()] })).rejects.toEqual(refusal)
      await expect(fixture.store.write({ thread: absent, entries: [], head: 3, epoch: 1 })).rejects.toEqual(refusal)
    })
  })
}
