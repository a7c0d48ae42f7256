import fc from 'fast-check'
import { test, vi } from 'vitest'
import { checkPlan, plans } from './interleavings.ts'

test('[AG22] runs, answers, results of client tools, aborts and interrupts in any order: every stream keeps the rules of the protocol, and the thread is whole', async () => {
  const silenced = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')].map(spy => spy.mockImplementation(() => {}))
  try {
    await fc.assert(fc.asyncProperty(plans, checkPlan), {
      numRuns: Number(process.env.RUNS ?? 20),
      seed: Number(process.env.SEED ?? 6),
    })
  } finally {
    for (const spy of silenced) spy.mockRestore()
  }
})
