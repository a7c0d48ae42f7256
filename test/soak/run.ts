import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pageOf } from './report.ts'
import { soak } from './soak.ts'

const usage = `Usage: npm run soak -- [MINUTES] [--seed NUMBER]

Runs everything at once, with crashes, and writes docs/soak.md. It fails if something did not hold.

  MINUTES        how long it runs before everything is brought to its end; 10 by default, or ANTIPHON_SOAK_MINUTES
  --seed NUMBER  decides all choices; by default the clock does, or SEED
  --help         print this`

const { minutes, seed } = readArguments()
// The AG-UI client says a lot about runs that were stopped, all of which its caller gets as well.
console.warn = () => {}
console.error = () => {}
console.log(`soak: ${minutes} minutes, seed ${seed}`)
const findings = await soak({ minutes, seed, say: line => console.log(line) })
const page = pageOf(findings)
console.log(`\n${page}`)
writeFileSync(join(import.meta.dirname, '../../docs/soak.md'), page)
process.exitCode = findings.isSound ? 0 : 1

function readArguments(): { minutes: number; seed: number } {
  try {
    const options = { seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    const { ANTIPHON_SOAK_MINUTES = '10', SEED = String(Date.now() % 1_000_000) } = process.env
    const [minutes = ANTIPHON_SOAK_MINUTES, ...more] = positionals
    const { seed = SEED } = values
    if (more.length > 0) throw new Error(`unexpected argument: ${more[0]}`)
    if (!(Number(minutes) > 0 && Number(minutes) < Infinity))
      throw new Error(`MINUTES must be a positive number, got ${minutes}`)
    if (!/^-?\d+$/.test(seed) || !Number.isSafeInteger(Number(seed)))
      throw new Error(`--seed must be an integer, got ${seed}`)
    return { minutes: Number(minutes), seed: Number(seed) }
  } catch (error) {
    console.error(`soak: ${(error as Error).message}\nRun npm run soak -- --help for help.`)
    process.exit(2)
  }
}
