import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './install.ts'
import { tryMoves } from './moves.ts'
import { writeMoves, writePage } from './page.ts'
import { type Program, programs } from './programs.ts'
import { type Outcome, tryProgram } from './trial.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    jobs: { type: 'string', default: '4' },
    cache: { type: 'string', default: join(tmpdir(), 'antiphon-programs') },
    bodies: { type: 'string' },
    moves: { type: 'boolean', default: false },
    versions: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Run agent programs from npm against the strict providers, the proxy and the doctor.

  --seconds N    how long the tool runs while the doctor looks (180)
  --quick        15 seconds, and docs/programs.md stays as it is
  --only NAMES   only programs whose name and version hold one of these, with commas between
  --jobs N       how many programs at once (4)
  --cache PATH   where the programs are installed
  --bodies PATH  keep the request bodies there
  --moves        move a session of each program to every other one instead, and resume it there
  --versions     other versions, such as opencode=1.18.18, with commas between`)
  process.exit()
}

const seconds = values.quick ? 15 : Number(values.seconds)
const names = values.only?.toLowerCase().split(',')
const others = new Map(values.versions?.split(',').map(one => one.toLowerCase().split('=') as [string, string]))
const chosen = programs
  .map(program => ({ ...program, version: others.get(program.title.toLowerCase()) ?? program.version }))
  .filter(({ title, version }) => names?.some(name => `${title} ${version}`.toLowerCase().includes(name)) ?? true)
  .filter((program, at, all) => !values.moves || (program.move && isNewest(program, all.slice(at + 1))))
const outcomes = new Map<number, Outcome>()

// One at a time, for npm does not like company.
const commands: string[][] = []
for (const program of chosen) {
  console.error(`${program.title} ${program.version}: installing`)
  commands.push(await install(program, values.cache))
}

if (values.moves) {
  const movers = chosen.map((program, index) => ({ program, command: commands[index] }))
  const moved = await tryMoves(movers, line => console.error(line))
  console.log(writeMoves(chosen, moved, names === undefined))
  process.exit(moved.every(({ faults }) => faults.length === 0) ? 0 : 1)
}

const queue = [...chosen.keys()]
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const { title, version } = chosen[index]
      const began = Date.now()
      const outcome = await tryProgram(chosen[index], commands[index], seconds)
      outcomes.set(index, outcome)
      console.error(
        `${title} ${version}: ${outcome.faults.length === 0 ? 'good' : 'NOT GOOD'}, ${Math.round((Date.now() - began) / 1000)} s`,
      )
      for (const fault of outcome.faults) console.error(`  ${fault}`)
      if (values.bodies !== undefined) keep(outcome, values.bodies)
    }
  }),
)

const all = [...chosen.keys()].map(index => outcomes.get(index) as Outcome)
console.log(writePage(all, seconds, !values.quick && names === undefined))
if (all.some(({ faults }) => faults.length > 0)) process.exitCode = 1

/** Of two versions of a program the later one is moved. */
function isNewest({ title }: Program, later: readonly Program[]): boolean {
  return later.every(other => other.title !== title)
}

function keep({ program, bodies }: Outcome, folder: string): void {
  const own = join(folder, `${program.title}-${program.version}`.replaceAll(' ', '-'))
  mkdirSync(own, { recursive: true })
  for (const [index, { body }] of bodies.entries())
    writeFileSync(join(own, `${String(index).padStart(2, '0')}.json`), body)
}
