import { expect, test } from 'vitest'
import { inFolder } from '../../doctor/contract.ts'
import { fuzzRuns, watchProcess } from '../../fuzz/runs.ts'
import { startProtocol, tryDocuments, type ViewerCase } from './fuzz-protocol.ts'

class Tally {
  readonly counts = new Map<string, number>()
  readonly faults: string[] = []

  add({ counts, faults }: ViewerCase): void {
    for (const one of counts) this.counts.set(one, (this.counts.get(one) ?? 0) + 1)
    this.faults.push(...faults)
  }
}

test('[SE48] requests to the viewer with changes to their path, headers and body', async () => {
  const { runs, first } = fuzzRuns(5_000)
  const watched = watchProcess()
  const tally = new Tally()
  await inFolder(async folder => {
    const viewer = await startProtocol(folder)
    for (let seed = first; seed < first + runs; seed++) tally.add(await viewer.try(seed))
    expect(await viewer.isAlive()).toBe(true)
    await viewer.close()
  })
  watched.stop()
  console.log(`${runs} requests to the viewer from seed ${first}: ${JSON.stringify(Object.fromEntries(tally.counts))}`)
  expect([...tally.faults, ...watched.faults].slice(0, 20)).toEqual([])
})

test('[SE48] the viewer on files with changes to their structure', async () => {
  const { runs, first } = fuzzRuns(500)
  const watched = watchProcess()
  const tally = new Tally()
  for (let seed = first; seed < first + runs; seed++) tally.add(await tryDocuments(seed))
  watched.stop()
  console.log(`${runs} files in the viewer from seed ${first}: ${JSON.stringify(Object.fromEntries(tally.counts))}`)
  expect([...tally.faults, ...watched.faults].slice(0, 20)).toEqual([])
})
