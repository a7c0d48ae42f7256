import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pageOf } from './report.ts'
import { soak } from './soak.ts'

// npm run soak -- 2 --seed 7
const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
const minutes = Number(positionals[0] ?? process.env.ANTIPHON_SOAK_MINUTES ?? 10)
const seed = Number(values.seed ?? process.env.SEED ?? Date.now() % 1_000_000)
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run soak -- MINUTES --seed NUMBER')

// The AG-UI client says a lot about runs that were stopped, all of which its caller gets as well.
console.warn = () => {}
console.error = () => {}
console.log(`soak: ${minutes} minutes, seed ${seed}`)
const findings = await soak({ minutes, seed, say: line => console.log(line) })
const page = pageOf(findings)
console.log(`\n${page}`)
writeFileSync(join(import.meta.dirname, '../../docs/soak.md'), page)
process.exitCode = findings.isSound ? 0 : 1
