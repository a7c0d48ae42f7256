import { describe, expect, test } from 'vitest'
import { sampleOf, seedsOf } from '../sample.ts'
import { describeReport, simulate } from './simulation.ts'

const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index)

describe('processes crash, sleep and lose their connections, and every promise holds', () => {
  test.for(sampleOf([1, 51, 101], 1))('[B203] fifty seeds from %i on', async first => {
    for (const seed of seedsFrom(first, 50)) {
      const report = await simulate(seed)
      expect(report.problems.length === 0 ? '' : describeReport(report)).toBe('')
    }
  })
})

test('[B204] the same seed gives the same simulation', async () => {
  for (const seed of seedsOf(20, 5)) {
    const [one, other] = [await simulate(seed), await simulate(seed)]
    expect(other).toEqual(one)
  }
})
