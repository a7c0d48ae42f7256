import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness } from './harness.ts'
import { linesOf } from './ledger.ts'

/** What is done to the servers while three workers and two speakers use them. */
export interface Trouble {
  readonly times: number
  /** How many threads there are in the end; 24 by default. */
  readonly threads?: number
  cause(time: number): Promise<unknown>
}

/** Causes trouble under load, and expects that nothing is lost and nothing is done twice. Gives back all entries. */
export async function loadThrough(harness: Harness, { times, threads = 24, cause }: Trouble): Promise<Entry[]> {
  const manner = { plain: true, leaseMs: 1_000 }
  const workers = await Promise.all([1, 2, 3].map(() => harness.start({ do: 'serve' }, manner)))
  const speakers = await Promise.all([1, 2].map(() => harness.start({ do: 'load', threads }, manner)))
  // None of them ends before it is told to.
  const ended = Promise.race([...workers, ...speakers].map(child => child.ended)).then(expectDone)
  ended.catch(() => {})
  for (let time = 0; time < times; time++) {
    await moreWork(harness, ended)
    await cause(time)
  }
  await moreWork(harness, ended)
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

/** How much there was. */
export function figuresOf(harness: Harness, entries: readonly Entry[]): string {
  const [inputs, effects] = [linesOf(harness.lines(), 'receipt'), linesOf(harness.lines(), 'effect')]
  return `${inputs.length} inputs, ${effects.length} effects, ${entries.length} entries`
}

/** When tools have had some more effects, and more input was accepted. Fails with a process that fails. */
async function moreWork(harness: Harness, ended: Promise<void>): Promise<void> {
  const count = (kind: 'effect' | 'receipt'): number => linesOf(harness.lines(), kind).length
  const [effects, receipts] = [count('effect'), count('receipt')]
  while (count('effect') < effects + 15 || count('receipt') < receipts + 15) await Promise.race([sleep(20), ended])
}

async function allRest(harness: Harness): Promise<void> {
  const store = await harness.open()
  while ((await store.list(0, 1_000)).some(({ state, dueAt }) => state !== 'idle' || dueAt !== undefined))
    await sleep(50)
  await store.close()
}
