import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Entry, EntryData } from '../../src/journal/entry.ts'
import { expectDone, expectSound, readAll } from './evidence.ts'
import type { Harness, Site } from './harness.ts'
import { linesOf } from './ledger.ts'
import type { Task } from './plan.ts'

/** A parent and its two agents, at which three processes work. */
export function checkAgentKills(site: Site): void {
  test('[B600] three processes that run a parent and two agents are killed one after the other: one result each, no effect twice', async () => {
    await using harness = site.harness()
    const workers = await Promise.all([1, 2, 3].map(() => harness.start({ do: 'serve' })))
    const input = 'agents <in-1>'
    expectDone(await harness.run({ do: 'submit', thread: 'thread', inputs: { 'input 0': input } }))
    const moments: readonly ((entry: Parked) => boolean)[] = [
      ({ kind, why }) => kind === 'call-park' && why === 'agent',
      ({ kind }) => kind === 'call-start',
      ({ kind, why }) => kind === 'call-park' && why === 'approval',
    ]
    for (const [index, worker] of workers.entries()) {
      await untilStored(harness, moments[index])
      worker.kill('SIGKILL')
      expect((await worker.ended).signal).toBe('SIGKILL')
    }
    await expectSound(harness, false)
    const task: Task = { do: 'converse', thread: 'thread', inputs: [input] }
    expectDone(await harness.run(task))
    const threads = await expectSound(harness, true)
    expect(threads.size).toBe(3)
    const settled = (threads.get('thread') ?? []).filter(({ kind }) => kind === 'call-settle')
    expect(settled.map(entry => 'outcome' in entry && entry.outcome.status)).toEqual(['done', 'done'])
    for (const entries of threads.values()) expect(entries.filter(isInput)).toHaveLength(1)
    // A process may have been killed between the start of the first tool and its effect. Nobody is killed after the approval.
    const effects = linesOf(harness.lines(), 'effect').map(({ tool }) => tool)
    expect([['pay'], ['charge', 'pay']]).toContainEqual(effects.toSorted())
  })
}

const isInput = ({ kind }: Entry): boolean => kind === 'input-submit'

type Parked = EntryData & { readonly why?: string }

/** When the journal has such an entry. A process that is killed right after a write has not noted it in the ledger. */
async function untilStored(harness: Harness, isIt: (entry: Parked) => boolean): Promise<void> {
  const store = await harness.open()
  try {
    for (;;) {
      for (const { thread } of await store.list(0, 1_000)) if ((await readAll(store, thread)).some(isIt)) return
      await sleep(10)
    }
  } finally {
    await store.close()
  }
}
