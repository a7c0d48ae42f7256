import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { countOperations } from './count-operations.ts'
import { findSteep, type Steep } from './find-steep.ts'

/**
 * Prints what grows faster than the history, as JSON: `known` the work whose cost is known, `rules` the examples of the rules, a
 * format the pairs of kinds in it. Every fourth family of either is tried; with `all` every one, and those of all kinds.
 */
const root = pathToFileURL(join(import.meta.dirname, '../../..')).href
const operations = countOperations(url => url.startsWith(`${root}/src/`) || url.endsWith('/linear/known-costs.ts'))

// Counters are put into what is loaded from here on.
const { repair } = await import('../../../src/index.ts')
const { pairFamilies, ruleFamilies } = await import('./families.ts')
const { kindNames, mainKinds } = await import('./pieces.ts')
const { knownCosts } = await import('./known-costs.ts')

const [subject, extent] = process.argv.slice(2)
const stride = extent === 'all' ? 1 : 4
const steep: Steep[] = []
let families = 0
if (subject === 'known') {
  for (const [name, { run }] of Object.entries(knownCosts)) {
    families++
    const make = (length: number): unknown[] => Array.from({ length }, (_, at) => at)
    steep.push(...findSteep(operations, { name, make }, run))
  }
} else {
  const format = subject as Parameters<typeof pairFamilies>[0]
  const tried = subject === 'rules' ? ruleFamilies() : pairFamilies(format, stride === 1 ? kindNames : mainKinds)
  let index = 0
  for await (const { name, make, options } of tried) {
    if (index++ % stride !== 0) continue
    families++
    steep.push(...findSteep(operations, { name, make }, history => repair(history, options)))
  }
}
console.log(JSON.stringify({ families, steep }))
