import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { conditionsIn, inverted, type Mutant, readSource, root, short } from './mutant.ts'

/** Rules that decide without an `if`. */
export const withoutCondition: readonly string[] = []

/** Each rule with the first condition of its check inverted. */
export const ruleMutants: readonly Mutant[] = globSync('src/core/rules/*/*.ts', { cwd: root })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => !file.endsWith('.examples.ts'))
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
