/**
 * Mutation tests: puts one fault at a time into a copy of the sources, and runs the tests that must fail then. Prints a
 * table, and exits with 1 if a mutant survives.
 *
 * `npm run mutants` tries all. `-- --sample N` tries N of them, some of each group, chosen by the hash of the commit or by
 * `--seed TEXT`. `-- --only TEXT` tries those whose group or name contains TEXT. `-- --list` only prints them.
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { mutants } from './all.ts'
import { type Mutant, root } from './mutant.ts'
import { sample } from './sample.ts'
import { Copy, type Outcome } from './try-mutant.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

// Copies are removed at the exit, also after a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const chosen = choose(mutants)
if (values.list) for (const { group, name } of chosen) console.log(`${group.padEnd(9)} ${name}`)
else process.exitCode = report(await tryAll(chosen)) ? 0 : 1

function choose(all: readonly Mutant[]): readonly Mutant[] {
  const { only, seed } = values
  const wanted = only === undefined ? all : all.filter(({ group, name }) => group === only || name.includes(only))
  if (wanted.length === 0) throw new Error(`no mutant has "${only}" in its name or as its group`)
  if (values.sample === undefined) return wanted
  const count = Number(values.sample)
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--sample must be a positive integer, got ${values.sample}`)
  const by = seed ?? execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  console.log(`${count} of ${wanted.length} mutants, chosen by the seed ${by}`)
  return sample(wanted, count, by)
}

/** Two at a time, each in a copy of its own. */
async function tryAll(chosen: readonly Mutant[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const queue = [...chosen]
  using first = new Copy()
  using second = new Copy()
  await Promise.all(
    [first, second].map(async copy => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const outcome = await copy.try(mutant)
        outcomes.push(outcome)
        console.log(lineOf(outcome))
      }
    }),
  )
  return outcomes
}

function lineOf({ mutant, killer, seconds }: Outcome): string {
  const line = `${mutant.group.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.name}`
  return killer === undefined ? `SURVIVED ${line}` : `killed   ${line}\n${' '.repeat(27)}by ${killer}`
}

/** Prints what survived and how many of each group were tried. Whether nothing survived. */
function report(outcomes: readonly Outcome[]): boolean {
  const survivors = outcomes.filter(({ killer }) => killer === undefined)
  console.log('')
  for (const group of new Set(outcomes.map(({ mutant }) => mutant.group))) {
    const tried = outcomes.filter(({ mutant }) => mutant.group === group)
    const seconds = tried.reduce((sum, outcome) => sum + outcome.seconds, 0)
    const killed = tried.filter(({ killer }) => killer !== undefined).length
    console.log(`${group.padEnd(8)} ${killed} of ${tried.length} killed, ${seconds.toFixed(0)} s`)
  }
  for (const { mutant } of survivors) console.error(`survived: ${mutant.group}, ${mutant.name} (${mutant.file})`)
  return survivors.length === 0
}
