import { expect, test } from 'vitest'
import { cutStreams } from './cut-streams.ts'

test('[PX26] streams that are cut at random from both sides leave nothing open', async () => {
  const { whole, cut, before, after, inFlight } = await cutStreams(150, 32, 1)
  expect(whole).toBeGreaterThan(15)
  expect(cut).toBeGreaterThan(38)
  expect(inFlight).toBe(0)
  expect(after.sockets).toBeLessThanOrEqual(before.sockets)
  expect(after.timers).toBeLessThanOrEqual(before.timers + 1)
})
