import { expect, test } from 'vitest'
import { Alarms } from '../../../src/integrations/durable-objects/alarms.ts'

test('after failures, changes do not postpone the next attempt', async () => {
  const set: number[] = []
  const storage = {
    setAlarm: async (at: number) => void set.push(at),
    deleteAlarm: async () => {},
  }
  const store = { nextDue: () => ({ at: 1, isOwned: false }) }
  const work = (failed: () => void) => {
    queueMicrotask(failed)
    return { stop: async () => {} }
  }
  const alarms = new Alarms(storage as never, store as never, work as never, () => {})
  for (let failures = 1; failures <= 3; failures++) {
    await alarms.run()
    expect(set).toHaveLength(failures)
    expect(set.at(-1)).toBeGreaterThan(Date.now())
    const now = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(now + 5)
    alarms.changed()
    expect(set).toHaveLength(failures)
  }
})
