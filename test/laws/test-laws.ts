import { beforeAll, describe, expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { seedsOf, triesAll } from '../sample.ts'
import { homes, type LawId, laws } from './laws.ts'
import { LawRun, lawIds, type Outcome, pairs, readersOf } from './try-laws.ts'

/** At least 15,000 histories over all pairs of codec and dialect, and both kinds for each; 4,000 of them in `npm test`. */
const runsPerPair = 2 * Math.ceil(7_500 / pairs.length)
const seeds = seedsOf(runsPerPair, 2 * Math.ceil(2_000 / pairs.length))

/** Every law on the histories of one wire, for every reader. No two pairs are tried on the same history. */
export function testLaws(codec: CodecId): void {
  const runs = new Map(readersOf(codec).map(dialect => [dialect, new LawRun()]))

  describe.each([...runs])(`${codec} for %s`, (dialect, run) => {
    beforeAll(() => {
      const pair = pairs.findIndex(entry => entry.codec === codec && entry.dialect === dialect)
      for (const index of seeds) run.try(codec, dialect, pair * 1_000_000 + index)
    })

    for (const id of lawIds) {
      test(laws[id].title, () => {
        const { shown, failed, held } = run.outcomes.get(id) as Outcome
        expect(failed > 0 ? `${failed} of ${run.tried} histories\n\n${shown.join('\n\n')}` : '').toBe('')
        const share = leastShare(id, codec, dialect)
        if (share === 1 || triesAll) expect(held).toBeGreaterThanOrEqual(run.tried * share)
      })
    }
  })

  // In a few histories it is a matter of luck how often a law speaks, so that all providers are taken together.
  test.each(lawIds)(`%s of ${codec} says something often enough`, id => {
    let [held, least] = [0, 0]
    for (const [dialect, run] of runs) {
      const share = leastShare(id, codec, dialect)
      if (share > 0) held += (run.outcomes.get(id) as Outcome).held
      least += run.tried * share
    }
    expect(held).toBeGreaterThanOrEqual(triesAll ? least : least / 2)
  })
}

/** On which share of the histories a law must have spoken, so that it is not kept by saying nothing. */
function leastShare(id: LawId, codec: CodecId, dialect: DialectId): number {
  if (id === 'scanIsRight') return 0
  if (id === 'judgeAccepts') return homes[codec]?.includes(dialect) ? 0.35 : 0
  if (id === 'growsAlike') return 0.15
  return id === 'stablePrefix' ? 0.3 : 1
}
