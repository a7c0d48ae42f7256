import { expect, test } from 'vitest'
import { describeReport, simulate } from './simulation.ts'

/**
 * The simulation with any number of seeds. `ANTIPHON_SIM_RUNS` says how many, `ANTIPHON_FUZZ_SEED` where to begin; without it
 * every run begins somewhere else. A failure prints its seed: begin there with one run, and it comes again.
 */
test('the promises of the journal hold', async () => {
  const runs = Number(process.env.ANTIPHON_SIM_RUNS ?? 2_000)
  const first = Number(process.env.ANTIPHON_FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000_000))
  console.log(`${runs} simulations from seed ${first}`)
  let told = Date.now()
  let steps = 0
  const failed: string[] = []
  for (let seed = first; seed < first + runs; seed++) {
    const report = await simulate(seed)
    steps += report.steps
    if (report.problems.length > 0) failed.push(describeReport(report))
    if (Date.now() - told < 5_000) continue
    told = Date.now()
    console.log(`${seed - first + 1} of ${runs} simulations, ${steps} steps, ${failed.length} failures`)
  }
  const shown = failed.slice(0, 3)
  expect(failed.length > 0 ? `${failed.length} failures\n\n${shown.join('\n\n')}` : '').toBe('')
})
