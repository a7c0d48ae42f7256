import { afterEach, describe, expect, test, vi } from 'vitest'
import { storeFaults } from './sim/faults.ts'
import { journalFaults } from './sim/journal-faults.ts'
import { type Report, simulate } from './simulation.ts'

const seedsMax = 600

/** Each showed a fault when it was looked for from 1 on. They are tried first. */
const tellingSeeds = [1, 2, 6, 7, 12, 13, 17, 41, 52, 63, 72, 111, 136, 143]

describe('a store that does not keep its promises is found out', () => {
  test.for(storeFaults)('[B205] it $name', async ({ spoil, finds }) => {
    expect(await isFound(finds, seed => simulate(seed, { spoil, readers: [] }))).toBe(true)
  })
})

describe('a journal that does not keep its promises is found out', () => {
  afterEach(() => {
    for (const file of Object.values(files)) vi.doUnmock(file)
    vi.resetModules()
  })

  test.for(journalFaults)('[B206] it $name', async ({ file, spoil, finds, store }) => {
    vi.resetModules()
    vi.doMock(files[file], async importOriginal => {
      const original = (await importOriginal()) as never
      return { ...(original as object), ...spoil(original) }
    })
    const spoilt = await import('./simulation.ts')
    expect(await isFound(finds, seed => spoilt.simulate(seed, { ...(store && { spoil: store }), readers: [] }))).toBe(
      true,
    )
  })
})

/** Whether one of the seeds shows it. */
async function isFound(what: RegExp, run: (seed: number) => Promise<Report>): Promise<boolean> {
  for (const seed of new Set([...tellingSeeds, ...Array.from({ length: seedsMax }, (_, index) => index + 1)])) {
    const { problems } = await run(seed)
    if (problems.some(problem => what.test(problem))) return true
  }
  return false
}

/** As a mock names them: from here. */
const files = {
  'journal/decide': '../../src/journal/decide.ts',
  'journal/recover': '../../src/journal/recover.ts',
  'journal/heartbeat': '../../src/journal/heartbeat.ts',
  'journal/effects': '../../src/journal/effects.ts',
}
