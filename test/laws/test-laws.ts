import { beforeAll, describe, expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { homes, type LawId, laws } from './laws.ts'
import { LawRun, lawIds, type Outcome, pairs, readersOf } from './try-laws.ts'

/** At least 15,000 histories over all pairs of codec and dialect, and both kinds for each. */
const runsPerPair = 2 * Math.ceil(7_500 / pairs.length)

/** Every law on the histories of one wire, for every reader. No two pairs are tried on the same history. */
export function testLaws(codec: CodecId): void {
  describe.each(readersOf(codec))(`${codec} for %s`, dialect => {
    const run = new LawRun()

    beforeAll(() => {
      const pair = pairs.findIndex(entry => entry.codec === codec && entry.dialect === dialect)
      for (let index = 0; index < runsPerPair; index++) run.try(codec, dialect, pair * 1_000_000 + index)
    })

    for (const id of lawIds) {
      test(laws[id].title, () => {
        const { shown, failed, held } = run.outcomes.get(id) as Outcome
        expect(failed > 0 ? `${failed} of ${run.tried} histories\n\n${shown.join('\n\n')}` : '').toBe('')
        expect(held).toBeGreaterThanOrEqual(run.tried * leastShare(id, codec, dialect))
      })
    }
  })
}

/** On which share of the histories a law must have spoken, so that it is not kept by saying nothing. */
function leastShare(id: LawId, codec: CodecId, dialect: string): number {
  if (id === 'scanIsRight') return 0
  if (id === 'judgeAccepts') return homes[codec]?.includes(dialect) ? 0.35 : 0
  if (id === 'growsAlike') return 0.15
  return id === 'stablePrefix' ? 0.3 : 1
}
