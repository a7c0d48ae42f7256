import { expect, test } from 'vitest'
import { cutStreams } from './cut-streams.ts'

test('[PX26] ten thousand streams that are cut at random from both sides leave nothing open', async () => {
  const outcome = await cutStreams(10_000, 64, Number(process.env.SEED ?? Date.now() % 1_000_000))
  console.log(outcome)
  const { whole, cut, before, after, inFlight } = outcome
  expect(whole).toBeGreaterThan(1000)
  expect(cut).toBeGreaterThan(3000)
  expect(inFlight).toBe(0)
  expect(after.sockets).toBeLessThanOrEqual(before.sockets)
  expect(after.timers).toBeLessThanOrEqual(before.timers + 1)
  // Nine times as many streams as before: a hundred bytes of each would show.
  expect(after.heapBytes - before.heapBytes).toBeLessThan(1024 * 1024)
})
