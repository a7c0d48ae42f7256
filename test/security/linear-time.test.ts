import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Steep } from '../laws/linear/find-steep.ts'
import { knownCosts } from '../laws/linear/known-costs.ts'
import { codecIds } from '../laws/try-laws.ts'

/** Work is counted rather than timed, in a process of its own: there the modules of the package have counters in them. */
async function steepIn(subject: string): Promise<{ families: number; steep: Steep[] }> {
  const script = join(import.meta.dirname, '../laws/linear/print-steep.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, subject], { maxBuffer: 64_000_000 })
  return JSON.parse(stdout)
}

describe('[SE30] a repair does no more work than its history is long', () => {
  test('the counting tells linear work from quadratic work', async () => {
    const { steep } = await steepIn('known')
    const quadratic = Object.keys(knownCosts).filter(name => !knownCosts[name].isLinear)
    expect(new Set(steep.map(({ family }) => family))).toEqual(new Set(quadratic))
  })

  test('examples of every rule, many times over', async () => {
    const { families, steep } = await steepIn('rules')
    expect(families).toBeGreaterThan(100)
    expect(steep).toEqual([])
  })

  test.each(codecIds)('pairs of parts, in turn and one after the other: %s', async format => {
    const { families, steep } = await steepIn(format)
    expect(families).toBeGreaterThan(75)
    expect(steep).toEqual([])
  })
})
