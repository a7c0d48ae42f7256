import { describe, expect, test } from 'vitest'
import { submit } from '../../sample-entries.ts'
import { type Fixture, long, range, whys } from './fixture.ts'

export function checkLeases(fixture: Fixture): void {
  describe('leases', () => {
    test('[W31] acquiring the lease increments the epoch, including for the entries of that write', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()] })
      const taken = await fixture.accept({ thread, entries: [submit(), submit()], lease: { owner: 'a', ms: 60_000 } })
      expect(taken.epoch).toBe(1)
      expect(await fixture.store.get(thread)).toMatchObject({ epoch: 1, owner: 'a', leasedUntil: taken.at + 60_000 })
      const { epoch } = await fixture.accept({ thread, entries: [submit()], epoch: 1 })
      expect(epoch).toBe(1)
      expect((await fixture.store.read(thread, 0)).map(entry => entry.epoch)).toEqual([0, 1, 1, 1])
    })

    test('[W52] a time that could not be read back is refused before anything is written', async () => {
      const { thread } = await fixture.store.open('t')
      for (const time of [Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, -1]) {
        const bad = [
          fixture.store.write({ thread, entries: [submit()], dueAt: time }),
          fixture.store.write({ thread, entries: [submit()], lease: { owner: 'a', ms: time } }),
          fixture.store.renew(thread, 0, time),
        ]
        for (const refused of await Promise.allSettled(bad))
          expect(refused).toMatchObject({
            status: 'rejected',
            reason: { code: 'invalid-write', hint: expect.any(String) },
          })
      }
      const furthest = { dueAt: 8.64e15, lease: { owner: 'a', ms: 3e12 } }
      await fixture.accept({ thread, entries: [submit()], head: 0, ...furthest })
      expect((await fixture.store.list(0, 10)).map(({ dueAt }) => dueAt)).toEqual([8.64e15])
    })

    test('[W32] a lease that is held cannot be acquired, not even by its owner: leased', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], lease: long('a') })
      await fixture.refuse({ thread, entries: [], lease: long('b') }, 'leased')
      await fixture.refuse({ thread, entries: [], lease: long('a'), epoch: 1 }, 'leased')
      expect(await fixture.store.get(thread)).toMatchObject({ epoch: 1, owner: 'a' })
    })

    test('[W33] a lease expires by the clock, but its owner can write until another owner acquires it', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], lease: { owner: 'a', ms: 150 } })
      await fixture.pass(150)
      expect(await fixture.store.get(thread)).toMatchObject({ owner: 'a', epoch: 1 })
      await fixture.accept({ thread, entries: [submit()], epoch: 1 })
      const taken = await fixture.accept({ thread, entries: [submit()], lease: long('b') })
      expect(taken.epoch).toBe(2)
      await fixture.refuse({ thread, entries: [submit()], epoch: 1 }, 'fenced')
      expect(await fixture.store.get(thread)).toMatchObject({ owner: 'b', epoch: 2, head: 2 })
    })

    test('[W34] the owner can extend its lease; a write with an old epoch cannot', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()], lease: { owner: 'a', ms: 150 } })
      const before = await fixture.store.get(thread)
      expect(await fixture.store.renew(thread, 1, 60_000)).toBe(true)
      await fixture.pass(150)
      await fixture.refuse({ thread, entries: [], lease: long('b') }, 'leased')
      expect(await fixture.store.renew(thread, 0, 60_000)).toBe(false)
      expect(await fixture.store.renew(thread, 2, 60_000)).toBe(false)
      const { leasedUntil, updatedAt, ...row } = await fixture.store.get(thread)
      expect(leasedUntil).toBeGreaterThan(before.leasedUntil)
      expect(updatedAt).toBe(leasedUntil - 60_000)
      expect({ ...row, leasedUntil: before.leasedUntil, updatedAt: before.updatedAt }).toEqual(before)
    })

    test('[W35] an expired lease can be extended until another owner acquires it', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], lease: { owner: 'a', ms: 0 } })
      expect(await fixture.store.renew(thread, 1, 0)).toBe(true)
      await fixture.accept({ thread, entries: [], lease: long('b') })
      expect(await fixture.store.renew(thread, 1, 60_000)).toBe(false)
      expect(await fixture.store.renew(thread, 2, 60_000)).toBe(true)
      expect(await fixture.store.get(thread)).toMatchObject({ owner: 'b', epoch: 2 })
    })

    test('[W36] a released lease is free at once, and its epoch stays', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], lease: long('a') })
      await fixture.accept({ thread, entries: [submit()], epoch: 1, release: true })
      const row = await fixture.store.get(thread)
      expect(row).toMatchObject({ epoch: 1, leasedUntil: 0 })
      expect(row).not.toHaveProperty('owner')
      expect(await fixture.store.renew(thread, 1, 60_000)).toBe(false)
      expect((await fixture.accept({ thread, entries: [], lease: long('a') })).epoch).toBe(2)
      await fixture.accept({ thread, entries: [], epoch: 2, release: true })
      expect((await fixture.accept({ thread, entries: [], lease: long('b'), release: true })).epoch).toBe(3)
      expect(await fixture.store.get(thread)).not.toHaveProperty('owner')
    })

    test('[W37] of many simultaneous attempts to acquire the lease, exactly one succeeds', async () => {
      const { thread } = await fixture.store.open('t')
      const owners = range(1, 20).map(index => `owner ${index}`)
      const written = await Promise.all(
        owners.map(owner => fixture.store.write({ thread, entries: [submit(owner)], lease: long(owner) })),
      )
      const winners = owners.filter((_, index) => written[index].ok)
      expect(winners).toHaveLength(1)
      expect(whys(written)).toEqual(Array.from({ length: 19 }, () => 'leased'))
      expect(await fixture.store.get(thread)).toMatchObject({ owner: winners[0], epoch: 1, head: 1 })
    })

    test('[W38] the clock is in milliseconds and advances', async () => {
      const before = await fixture.store.now()
      expect(Number.isInteger(before)).toBe(true)
      await fixture.pass(20)
      expect(await fixture.store.now()).toBeGreaterThanOrEqual(before + 20)
    })
  })
}
