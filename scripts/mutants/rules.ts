import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { rules } from '../../src/core/rules/index.ts'
import { conditionsIn, inverted, type Mutant, readSource, root, short } from './mutant.ts'

/** Rules that decide without an `if`. */
export const withoutCondition: readonly string[] = []

/** Rules about sizes and counts are not part of a repair of a history alone, and have examples of another kind. */
const ids = new Set(rules.map(({ id }) => id))

/** Each rule with the first condition of its check inverted. */
export const ruleMutants: readonly Mutant[] = globSync('src/core/rules/*/*.ts', { cwd: root })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => ids.has(basename(file, '.ts')))
  .sort()
  .flatMap(file => {
    const rule = basename(file, '.ts')
    const source = readSource(file)
    const [first] = conditionsIn(source, source.indexOf('check('))
    if (!first) return []
    const name = `${rule}: inverts ${short(first.text)}`
    return {
      group: 'rules',
      name,
      file,
      change: inverted(first),
      killers: [`examples ${rule}`, 'test/core/refusal.test.ts'],
    }
  })
