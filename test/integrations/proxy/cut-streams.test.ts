import { expect, test } from 'vitest'
import { cutStreams } from './cut-streams.ts'

test('[PX26] streams that are cut at random from both sides leave nothing behind', async () => {
  const { whole, cut, before, after, inFlight } = await cutStreams(400, 32, 1)
  expect(whole).toBeGreaterThan(40)
  expect(cut).toBeGreaterThan(100)
  expect(inFlight).toBe(0)
  expect(after.sockets).toBeLessThanOrEqual(before.sockets)
  expect(after.timers).toBeLessThanOrEqual(before.timers + 1)
})
