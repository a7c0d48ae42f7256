import type { Arguments } from '../arguments.ts'
import { type Measured, parts } from '../parts.ts'
import { TaskRunner } from '../run-task.ts'
import { section } from '../section.ts'
import { figure } from '../table.ts'
import { type Checkouts, findCommit, withCheckouts } from './checkouts.ts'
import { type Compared, compareRuns, comparisonTable, missed, quieter } from './figures.ts'

const repeats = 3

/** Measures parts of a commit and of the working tree in turns, and prints them side by side. */
export async function compare(
  commit: string,
  { parts: names, quick, json }: Arguments,
  say: (line: string) => void,
): Promise<void> {
  await withCheckouts(findCommit(commit), say, async checkouts => {
    const all: Record<string, Compared[]> = {}
    for (const name of names) {
      const compared = await compareQuietly(name, checkouts, quick, say)
      all[name] = compared
      const noisy = compared.some(({ isNoisy }) => isNoisy) ? ', noisy' : ''
      const title = `${name}: ${checkouts.commit.slice(0, 12)} before, the working tree after${noisy}`
      const note = `medians of ${repeats} runs each, in turns; noisy: runs of the same code differ by more than 15%`
      if (!json) console.log(section(title, note, comparisonTable(compared)))
      for (const { label, target } of missed(compared)) {
        say(`missed: ${name}: ${label}: ${figure(target?.ratio ?? 0)}, asked for ${target?.bound} ${target?.limit}`)
        process.exitCode = 1
      }
    }
    if (json) console.log(JSON.stringify({ commit: checkouts.commit, parts: all }, null, 2))
  })
}

/** What is noisy is measured once more. */
async function compareQuietly(
  name: string,
  checkouts: Checkouts,
  quick: boolean,
  say: (line: string) => void,
): Promise<Compared[]> {
  const first = await compareOnce(name, checkouts, quick, say)
  const noisy = first.filter(({ isNoisy }) => isNoisy)
  if (noisy.length === 0) return first
  say(`${name} is noisy (${noisy.map(({ label }) => label).join('; ')}): measuring it once more`)
  return quieter(first, await compareOnce(name, checkouts, quick, say))
}

async function compareOnce(
  name: string,
  { before, after }: Checkouts,
  quick: boolean,
  say: (line: string) => void,
): Promise<Compared[]> {
  const sides = [
    { side: 'before', folder: before, runs: [] as Measured[] },
    { side: 'after', folder: after, runs: [] as Measured[] },
  ]
  for (let repeat = 1; repeat <= repeats; repeat++)
    for (const { side, folder, runs } of repeat % 2 === 1 ? sides : sides.toReversed()) {
      const runner = new TaskRunner(line => say(`${side} ${repeat}/${repeats}: ${line}`), quick, folder)
      // The peers are the same on both sides.
      const surroundings = { runner, quick, versions: {}, hasPeers: async () => false, show: () => {} }
      const measured = await parts[name](surroundings)
      if (measured) runs.push(measured)
    }
  return compareRuns(sides[0].runs, sides[1].runs)
}
