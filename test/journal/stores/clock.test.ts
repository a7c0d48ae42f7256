import { describe, expect, test } from 'vitest'
import { MemoryGraphStore } from '../../../src/integrations/langgraph/memory-store.ts'
import { openSqliteGraphs } from '../../../src/integrations/langgraph/sqlite-store.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { run } from '../../../src/journal/run.ts'
import { MemoryStore } from '../../../src/journal/stores/memory.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { says } from '../contract/model.ts'
import { SettableClock } from '../contract/settable-clock.ts'
import { respond, submit } from '../sample-entries.ts'
import { Folder } from './sqlite-folder.ts'

const folder = new Folder()
const hour = 3_600_000
const [leaseMs, owner] = [15_000, 'killed']

/** A second store on the same journal, as another process has it, or the same one where there is no other. */
type Open = (now: () => number) => Promise<() => Promise<Store>>

const stores: Record<string, Open> = {
  memory: async now => {
    const store = new MemoryStore({ now })
    return async () => store
  },
  sqlite: async now => () => folder.open({ now, durability: 'process' }),
}

describe.each(Object.entries(stores))('the store %s, and a clock that is set', (_, prepare) => {
  const opened = async () => {
    const clock = new SettableClock()
    const open = await prepare(clock.now)
    const store = await open()
    const { thread } = await store.open('t')
    const lease = { owner, ms: leaseMs }
    const taken = async (by = 'next'): Promise<boolean> =>
      (await store.write({ thread, entries: [], lease: { owner: by, ms: leaseMs } })).ok
    const names = async (from: Store = store): Promise<string[]> => (await from.due(10)).map(({ name }) => name)
    return { clock, open, store, thread, lease, taken, names }
  }

  test('[WS21] a thread that became due while the clock was ahead is still due after the correction, in this store and in a new one', async () => {
    const { clock, open, store, thread, names } = await opened()
    clock.aheadMs = hour
    await store.write({ thread, entries: [submit()], dueAt: 'now' })
    const later = (await store.open('later')).thread
    await store.write({ thread: later, entries: [], dueAt: clock.now() + hour })
    expect(await names()).toEqual(['t'])
    clock.aheadMs = 0
    expect(await names()).toEqual(['t'])
    expect(await names(await open())).toEqual(['t'])
    expect((await store.get(later)).dueAt).toBe(clock.now() + 2 * hour)
  })

  test('[WS21] that stays so after a write that leaves the time as it is, and after a renewal', async () => {
    const { clock, store, thread, lease, names } = await opened()
    clock.aheadMs = hour
    await store.write({ thread, entries: [submit()], dueAt: 'now', lease })
    const other = (await store.open('other')).thread
    await store.write({ thread: other, entries: [submit()], dueAt: 'now', lease })
    clock.aheadMs = 0
    await store.write({ thread, entries: [respond()], epoch: 1 })
    expect(await store.renew(other, 1, leaseMs)).toBe(true)
    expect(await names()).toEqual([])
    await clock.advance(leaseMs)
    expect(await names()).toEqual(['t', 'other'])
  })

  test('[WS22] the lease of an owner that was killed while the clock was ahead lasts no longer than was asked for', async () => {
    const { clock, store, thread, lease, taken, names } = await opened()
    await store.write({ thread, entries: [submit()], dueAt: 'now', lease })
    clock.aheadMs = hour
    expect(await store.renew(thread, 1, leaseMs)).toBe(true)
    clock.aheadMs = 0
    expect(await names()).toEqual([])
    expect(await taken()).toBe(false)
    expect((await store.get(thread)).leasedUntil).toBe(clock.now() + leaseMs)
    await clock.advance(leaseMs - 1)
    expect([await names(), await taken()]).toEqual([[], false])
    await clock.advance(1)
    expect([await names(), await taken()]).toEqual([['t'], true])
  })

  test('[WS22] a live owner keeps its lease, however the clock is set', async () => {
    const { clock, store, thread, lease, taken } = await opened()
    await store.write({ thread, entries: [submit()], dueAt: 'now', lease })
    for (const aheadMs of [hour, 0, 2 * hour, -hour, -2 * hour]) {
      // The one who owns it renews it after a moment, as a heartbeat does.
      clock.aheadMs = aheadMs
      expect(await store.renew(thread, 1, leaseMs)).toBe(true)
      for (let third = 0; third < 4; third++) {
        clock.aheadMs -= 50
        expect(await taken()).toBe(false)
        await clock.advance(leaseMs / 3)
        expect(await store.renew(thread, 1, leaseMs)).toBe(true)
      }
    }
    expect(await store.get(thread)).toMatchObject({ owner, epoch: 1 })
  })

  test('[WS22] an owner whose lease ended early, because the clock was behind, continues or is fenced', async () => {
    const { clock, store, thread, lease, taken } = await opened()
    clock.aheadMs = -hour
    await store.write({ thread, entries: [submit()], lease })
    clock.aheadMs = 0
    expect(await store.write({ thread, entries: [submit()], epoch: 1 })).toMatchObject({ ok: true })
    expect(await taken()).toBe(true)
    expect(await store.write({ thread, entries: [submit()], epoch: 1 })).toMatchObject({ ok: false, why: 'fenced' })
  })

  test('[WS22] a caller that waits for a turn gets it when the lease is over, and waits no longer than requested', async () => {
    const { clock, store, thread } = await opened()
    const journal = new Journal(store, clock, 'next')
    clock.aheadMs = hour
    await journal.thread('t').submit('Hello.')
    await store.write({ thread, entries: [], lease: { owner, ms: leaseMs }, dueAt: 'now' })
    const impatient = journal.thread('t').turn({ waitMs: 1_000 })
    await clock.advance(100)
    clock.aheadMs = 0
    await clock.advance(1_000)
    expect(await Promise.race([impatient, 'waits'])).toBeUndefined()
    const patient = run(journal.thread('t'), { model: async () => says('Hi.'), waitMs: 2 * leaseMs })
    let ended: unknown
    void patient.then(result => {
      ended = result
    })
    await clock.advance(leaseMs + 500)
    expect(ended).toMatchObject({ status: 'done' })
  })
})

describe('the threads of graphs, and a clock that is set', () => {
  test.for(['memory', 'sqlite'])('[WS22] a lease lasts no longer than was asked for: %s', async kind => {
    const clock = new SettableClock()
    const { now } = clock
    const store = kind === 'memory' ? new MemoryGraphStore(now) : await openSqliteGraphs(folder.file(), { now })
    clock.aheadMs = hour
    expect(await store.claim('t', { owner, leaseMs })).toBe(1)
    clock.aheadMs = 0
    expect(await store.claim('t', { owner: 'next', leaseMs })).toBeUndefined()
    await clock.advance(leaseMs - 1)
    expect(await store.claim('t', { owner: 'next', leaseMs })).toBeUndefined()
    await clock.advance(1)
    expect(await store.claim('t', { owner: 'next', leaseMs })).toBe(2)
    await store.close()
  })
})
