import { describe, expect, test } from 'vitest'
import { Random } from '../../laws/random.ts'
import { sampleOf } from '../../sample.ts'
import { LossyBus } from './lossy-bus.ts'
import { ShownScreen } from './shown.ts'
import { World } from './world.ts'

describe('a live reader', () => {
  const totals = { deltas: 0, completed: 0, retracted: 0, cuts: 0, takeovers: 0 }

  const seeds = (from: number, count: number, loss: number) =>
    Array.from({ length: count }, (_, index): [number, number] => [from + index, loss])

  const watch = async (seed: number, loss: number): Promise<void> => {
    const random = new Random(seed)
    const world = new World(random, new LossyBus(() => random.next(), loss))
    const screens = [new ShownScreen(), new ShownScreen()]
    const over = new AbortController()
    const readers = screens.map(screen => world.readWithCuts(screen, over.signal, () => totals.cuts++))
    for (let turn = 0; turn < 5; turn++) totals.takeovers += await world.answer()
    const recorded = await world.recorded()
    // They read on until they have the last entry.
    await expect.poll(() => screens.map(({ entries }) => entries.length)).toEqual(screens.map(() => recorded.length))
    over.abort()
    await Promise.all(readers)
    for (const screen of screens) {
      expect(screen.entries).toEqual(recorded)
      expect(screen.text).toBe('')
      for (const name of ['deltas', 'completed', 'retracted'] as const) totals[name] += screen.counts[name]
    }
    await world.close()
  }

  test.each([...sampleOf(seeds(0, 12, 0.2), 3), ...seeds(100, 2, 0), ...seeds(200, 2, 0.6), ...seeds(300, 1, 1)])(
    '[LV1] [LV2] was shown what is recorded, in order: random cut points, takeovers and losses (seed %d, loss %d)',
    watch,
  )

  test('saw enough of everything', async () => {
    const isFew = (name: keyof typeof least): boolean => totals[name] <= least[name]
    const tooFew = () => (['completed', 'retracted', 'cuts', 'takeovers'] as const).filter(isFew)
    // How much a reader sees of a seed is a matter of time. With few seeds it can be too little: then a few more are tried.
    for (const more of seeds(400, 20, 0.2)) if (tooFew().length > 0) await watch(...more)
    expect(tooFew(), JSON.stringify(totals)).toEqual([])
  })
})

const least = { completed: 20, retracted: 5, cuts: 50, takeovers: 5 }
