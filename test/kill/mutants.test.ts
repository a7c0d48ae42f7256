import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutants } from '../../scripts/mutants/all.ts'
import { readSource, root } from '../../scripts/mutants/mutant.ts'
import { ruleMutants, withoutCondition } from '../../scripts/mutants/rules.ts'
import { sample } from '../../scripts/mutants/sample.ts'
import { allDoubts, cautious, scanMutants } from '../../scripts/mutants/scans.ts'
import { codecs } from '../../src/codecs/index.ts'
import { rules } from '../../src/core/rules/index.ts'

const groups = [...new Set(mutants.map(({ group }) => group))]

describe.each(groups)('the mutants of %s', group => {
  const ofGroup = mutants.filter(mutant => mutant.group === group)

  test.each(ofGroup)('[B412] $name: the source has the place', ({ file, change }) => {
    const source = readSource(file)
    expect(change(source)).not.toBe(source)
  })

  test('[B412] what must kill them exists, and no two have one name', () => {
    const killers = [...new Set(ofGroup.flatMap(mutant => mutant.killers))]
    expect(killers.filter(killer => !isKiller(killer))).toEqual([])
    expect(ofGroup.filter(mutant => mutant.killers.length === 0)).toEqual([])
    expect(new Set(ofGroup.map(({ name }) => name)).size).toBe(ofGroup.length)
  })
})

test('[B412] every rule has a mutant, unless it decides without a condition', () => {
  expect(ruleMutants).toHaveLength(rules.length - withoutCondition.length)
})

test('[B412] every doubt of a scan has a mutant, unless a reason is given why it can be dropped', () => {
  const names = new Set(allDoubts.map(({ name }) => name))
  expect(Object.keys(cautious).filter(name => !names.has(name))).toEqual([])
  for (const format of Object.keys(codecs))
    expect(scanMutants.filter(({ killers }) => killers.includes(`scan ${format}`)).length).toBeGreaterThanOrEqual(3)
})

describe('a sample of the mutants', () => {
  test('[B413] has some of each group, and the same for the same seed', () => {
    for (const seed of ['a', 'b', 'c']) {
      const chosen = sample(mutants, 30, seed)
      expect(new Set(chosen).size).toBe(30)
      expect(new Set(chosen.map(({ group }) => group))).toEqual(new Set(groups))
      expect(sample(mutants, 30, seed)).toEqual(chosen)
    }
  })

  test('[B413] is another for another seed, so that all are tried in time', () => {
    const tried = new Set(Array.from({ length: 200 }, (_, seed) => sample(mutants, 30, `commit ${seed}`)).flat())
    expect(tried.size).toBeGreaterThan(0.95 * mutants.length)
  })
})

function isKiller(killer: string): boolean {
  const [what, which] = killer.split(' ')
  if (what === 'scan') return Object.hasOwn(codecs, which)
  if (what === 'examples') return which === undefined || rules.some(({ id }) => id === which)
  return killer.endsWith('.test.ts') && existsSync(join(root, killer))
}
