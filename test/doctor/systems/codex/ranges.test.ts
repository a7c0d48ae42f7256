import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { codex } from '../../../../src/doctor/systems/codex/index.ts'
import { all, inFolder } from '../../contract.ts'
import { subject } from './subject.ts'

/** Defects of the file and not of its history. */
const ofFile =
  /^(torn-record|byte-order-mark|invalid-text|joined-records|broken-numbering|misplaced-header|missing-header)$/

describe('the history of a rollout', () => {
  test('[DD40] only doubtful ranges are judged, with the outcome of a judgement of the whole', async () => {
    let broken = 0
    for (let seed = 1; seed <= 40; seed++) {
      await inFolder(async folder => {
        const found = await all(examineStores([await subject.corrupted(seed, folder)], { systems: [codex] }))
        for (const one of found) {
          if (one.kind !== 'conversation') continue
          const { repairs, draw } = one.examination
          const inRanges = repairs.filter(({ rule }) => !ofFile.test(rule))
          const ofWhole = draw?.().repairs ?? []
          const places = (list: typeof repairs): string[] => list.map(({ rule, at, help }) => `${rule} ${at} ${help}`)
          expect({ seed, found: places(inRanges) }).toEqual({ seed, found: places(ofWhole) })
          if (inRanges.length > 0) broken++
        }
      })
    }
    expect(broken).toBeGreaterThan(10)
  })
})
