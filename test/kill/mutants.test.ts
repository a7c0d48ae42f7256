import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutants } from '../../scripts/mutants/all.ts'
import { readSource, root } from '../../scripts/mutants/mutant.ts'
import { ruleMutants, withoutCondition } from '../../scripts/mutants/rules.ts'
import { sample } from '../../scripts/mutants/sample.ts'
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

describe('a sample of the mutants', () => {
  test('[B413] has some of each group, and the same for the same seed', () => {
    for (const seed of ['a', 'b', 'c']) {
      const chosen = sample(mutants, 40, seed)
      expect(new Set(chosen).size).toBe(40)
      expect(new Set(chosen.map(({ group }) => group))).toEqual(new Set(groups))
      expect(sample(mutants, 40, seed)).toEqual(chosen)
    }
  })

  test('[B413] is another for another seed, so that all are tried in time', () => {
    const tried = new Set(Array.from({ length: 100 }, (_, seed) => sample(mutants, 40, `commit ${seed}`)).flat())
    expect(tried.size).toBeGreaterThan(0.95 * mutants.length)
  })
})

function isKiller(killer: string): boolean {
  const [what, which] = killer.split(' ')
  if (what === 'scan') return Object.hasOwn(codecs, which)
  if (what === 'examples') return which === undefined || rules.some(({ id }) => id === which)
  return killer.endsWith('.test.ts') && existsSync(join(root, killer))
}
