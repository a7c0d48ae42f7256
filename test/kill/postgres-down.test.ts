import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness } from './harness.ts'
import { linesOf } from './ledger.ts'
import { newPostgresSite } from './postgres-site.ts'

let server: Server
const site = newPostgresSite(() => server)
beforeAll(async () => {
  server = await startServer()
  await site.warmUp()
})
afterAll(async () => {
  site.remove()
  await server.stop()
})

test.each(['restart', 'crash'] as const)(
  '[B405] PostgreSQL goes down and comes up under load (%s): nothing is lost, nothing is done twice, workers go on',
  async how => {
    await using harness = site.harness()
    const manner = { plain: true, leaseMs: 1_000 }
    const workers = await Promise.all([1, 2, 3].map(() => harness.start({ do: 'serve' }, manner)))
    const speakers = await Promise.all([1, 2].map(() => harness.start({ do: 'load', threads: 24 }, manner)))
    for (let times = 0; times < 3; times++) {
      await moreWork(harness)
      await server[how]()
    }
    await moreWork(harness)
    await Promise.all(speakers.map(speaker => speaker.go()))
    for (const speaker of speakers) expectDone(await speaker.ended)
    await allRest(harness)
    await Promise.all(workers.map(worker => worker.go()))
    for (const worker of workers) expectDone(await worker.ended)
    const entries = [...(await expectSound(harness, true)).values()].flat()
    const ends = entries.flatMap(entry => (entry.kind === 'turn-end' ? [entry.status] : []))
    expect(new Set(ends)).toEqual(new Set(['done']))
    const submitted = entries.filter(({ kind }) => kind === 'input-submit')
    expect(submitted).toHaveLength(linesOf(harness.lines(), 'receipt').length)
  },
)

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
