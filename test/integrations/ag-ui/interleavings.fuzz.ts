import fc from 'fast-check'
import { test, vi } from 'vitest'
import { checkPlan, plans } from './interleavings.ts'

/** The same with any number of plans. `ANTIPHON_AG_UI_RUNS` says how many; a failure prints its seed. */
test('runs in any order keep the rules of the protocol', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const numRuns = Number(process.env.ANTIPHON_AG_UI_RUNS ?? 300)
  await fc.assert(fc.asyncProperty(plans, checkPlan), { numRuns })
})
