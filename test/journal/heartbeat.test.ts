import { expect, test } from 'vitest'
import type { Clock } from '../../src/journal/clock.ts'
import { Heartbeat, type LeaseWatch } from '../../src/journal/heartbeat.ts'
import { Log } from '../../src/journal/log.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { FakeClock } from './contract/fake-clock.ts'
import { SettableClock } from './contract/settable-clock.ts'

const hour = 3_600_000

function beating(clock: Clock, look: LeaseWatch['poll'] = async () => {}): { renewals: number; heart: Heartbeat } {
  const told = { renewals: 0 }
  const renew = async (): Promise<boolean> => ++told.renewals > 0
  const heart = new Heartbeat(clock, { leaseMs: 15_000, renew, poll: look, lost: () => {} })
  return Object.assign(told, { heart })
}

test('[B226] a lease is renewed even while the clock is set back and forth', async () => {
  const clock = new SettableClock()
  const told = beating(clock)
  for (const aheadMs of [-hour, 0, hour, -hour]) {
    const before = told.renewals
    clock.aheadMs = aheadMs
    await clock.advance(30_000)
    expect(told.renewals - before).toBeGreaterThanOrEqual(4)
  }
  told.heart.stop()
})

test('[B227] a lease is renewed while a write of this process takes its time', async () => {
  const clock = new SettableClock()
  const told = beating(clock, () => new Promise(() => {}))
  await clock.advance(60_000)
  expect(told.renewals).toBeGreaterThanOrEqual(10)
  told.heart.stop()
})

test('[B228] the clock of the store decides whether a decision is in time, whatever the clock of the process says', async () => {
  const clock = new SettableClock()
  const storeClock = new FakeClock()
  const log = new Log(new MemoryStore({ now: storeClock.now }), 't', clock)
  expect(await log.now()).toBe(storeClock.now())
  for (const aheadMs of [2 * hour, -2 * hour, 0]) {
    clock.aheadMs = aheadMs
    expect(await log.now()).toBe(storeClock.now())
  }
})
