import { expect, test } from 'vitest'
import { fuzzRuns, watchProcess } from '../../fuzz/runs.ts'
import { startInputs } from './fuzz-inputs.ts'

test('[SE47] requests with changes to their line, headers, framing and body', async () => {
  const { runs, first } = fuzzRuns(5_000)
  const watched = watchProcess()
  const proxy = await startInputs()
  let seed = first
  const work = async (): Promise<void> => {
    while (seed < first + runs && proxy.faults.length < 50) await proxy.try(seed++)
  }
  await Promise.all(Array.from({ length: 32 }, work))
  const isAlive = await proxy.isAlive()
  await proxy.close()
  watched.stop()
  console.log(`${runs} inputs of the proxy from seed ${first}: ${JSON.stringify(Object.fromEntries(proxy.statuses))}`)
  const faults = [...proxy.faults, ...watched.faults]
  expect({ isAlive, faults: faults.slice(0, 20) }).toEqual({ isAlive: true, faults: [] })
})
