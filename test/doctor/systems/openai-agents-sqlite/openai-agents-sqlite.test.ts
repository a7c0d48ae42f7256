import { describe, expect, test } from 'vitest'
import { bytesOf, describeSystem } from '../../contract.ts'
import { heal, refusals, withSample } from './helpers.ts'
import { tablesIn } from './rows.ts'
import { subject } from './subject.ts'

describeSystem(subject)

describe('samples', () => {
  test('[DQ1] the broken sample becomes the repaired one, row for row', async () => {
    await withSample('broken', async path => {
      const [{ id, examination }, other] = await heal(path)
      expect(id).toBe('user_123')
      expect(other.examination.state).toBe('healthy')
      expect(examination.counts).toEqual({ calls: 3, results: 2, orphans: 1, unanswered: 2 })
      expect(new Set(examination.repairs.map(({ rule }) => rule))).toEqual(
        new Set(['orphan-result', 'interleaved-message', 'unanswered-call']),
      )
      expect(examination.since).toEqual({ turn: 1, at: 'message 5' })
      expect(new Set(examination.repairs.map(({ at }) => at))).toEqual(
        new Set(['message 8', 'message 6', 'message 5', 'message 10']),
      )
      expect(examination.dropped).toEqual([
        { at: 'message 8', rule: 'orphan-result', content: expect.stringContaining('nobody asked') },
      ])
      await withSample('healed', async expected => expect(tablesIn(path)).toEqual(tablesIn(expected)))
      expect(refusals(path)).toEqual([])
    })
  })

  test.each(['healthy', 'healed'])('[DQ2] %s is left as it is', async name => {
    await withSample(name, async path => {
      const before = bytesOf(path)
      expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['healthy', 'healthy'])
      expect(bytesOf(path)).toEqual(before)
    })
  })
})
