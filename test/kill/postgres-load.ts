import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness } from './harness.ts'
import { linesOf } from './ledger.ts'

/** What is done to the servers while three workers and two speakers use them. */
export interface Trouble {
  readonly times: number
  cause(time: number): Promise<unknown>
}

/** Causes trouble under load, and expects that nothing is lost and nothing is done twice. Gives back all entries. */
export async function loadThrough(harness: Harness, { times, cause }: Trouble): Promise<Entry[]> {
  const manner = { plain: true, leaseMs: 1_000 }
  const workers = await Promise.all([1, 2, 3].map(() => harness.start({ do: 'serve' }, manner)))
  const speakers = await Promise.all([1, 2].map(() => harness.start({ do: 'load', threads: 24 }, manner)))
  for (let time = 0; time < times; time++) {
    await moreWork(harness)
    await cause(time)
  }
  await moreWork(harness)
  await Promise.all(speakers.map(speaker => speaker.go()))
  for (const speaker of speakers) expectDone(await speaker.ended)
  await allRest(harness)
  await Promise.all(workers.map(worker => worker.go()))
  for (const worker of workers) expectDone(await worker.ended)
  const entries = [...(await expectSound(harness, true)).values()].flat()
  const ends = entries.flatMap(entry => (entry.kind === 'turn-end' ? [entry] : []))
  expect(ends.filter(({ status }) => status !== 'done')).toEqual([])
  const submitted = entries.filter(({ kind }) => kind === 'input-submit')
  expect(submitted).toHaveLength(linesOf(harness.lines(), 'receipt').length)
  return entries
}

/** When tools have had some more effects, and more input was accepted. */
async function moreWork(harness: Harness): Promise<void> {
  const count = (kind: 'effect' | 'receipt'): number => linesOf(harness.lines(), kind).length
  const [effects, receipts] = [count('effect'), count('receipt')]
  while (count('effect') < effects + 15 || count('receipt') < receipts + 15) await sleep(20)
}

async function allRest(harness: Harness): Promise<void> {
  const store = await harness.open()
  while ((await store.list(0, 100)).some(({ state, dueAt }) => state !== 'idle' || dueAt !== undefined)) await sleep(50)
  await store.close()
}
