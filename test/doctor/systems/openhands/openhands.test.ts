import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSystem } from '../../contract.ts'
import { filesIn } from './folder.ts'
import { healed } from './heal.ts'
import { refusalsOf } from './judge.ts'
import { subject } from './subject.ts'

const sample = (name: string): ReturnType<typeof filesIn> =>
  filesIn(join(import.meta.dirname, 'samples', name, '9b2e6c1f5a344d7e8f103c6a1b2d4e5f'))

describe('OpenHands, the samples', () => {
  test('[DH1] an error and an observation for one call become the observation, as in the repaired sample', async () => {
    expect(refusalsOf(sample('broken')).length).toBeGreaterThan(0)
    const { found, rules, files } = await healed(sample('broken'))
    expect(rules).toEqual(['duplicate-result', 'interleaved-message'])
    expect(found.examination.repairs.map(({ at }) => at)).toEqual(['event-00005', 'event-00006'])
    expect(found.examination.dropped.map(({ at, content }) => [at, content.includes('A restart occurred')])).toEqual([
      ['event-00005', true],
    ])
    expect(files).toEqual(sample('healed'))
    expect(refusalsOf(files)).toEqual([])
  })

  test.each([
    ['healthy', 'healthy'],
    ['healed', 'healthy'],
    ['pending', 'pending'],
  ])('[DH2] the %s sample is %s and comes back byte for byte', async (name, state) => {
    const { found, files } = await healed(sample(name))
    expect(found.examination.state).toBe(state)
    expect(files).toEqual(sample(name))
  })
})

describeSystem(subject)
