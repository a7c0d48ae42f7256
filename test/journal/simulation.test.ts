import { describe, expect, test } from 'vitest'
import { describeReport, simulate } from './simulation.ts'

const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index)

describe('processes crash, sleep and lose their connections, and every promise holds', () => {
  test.for(seedsFrom(0, 3).map(fifty => 50 * fifty + 1))('[B203] fifty seeds from %i on', async first => {
    for (const seed of seedsFrom(first, 50)) {
      const report = await simulate(seed)
      expect(report.problems.length === 0 ? '' : describeReport(report)).toBe('')
    }
  })
})

test('[B204] the same seed gives the same simulation', async () => {
  for (const seed of seedsFrom(1, 20)) {
    const [one, other] = [await simulate(seed), await simulate(seed)]
    expect(other).toEqual(one)
  }
})
