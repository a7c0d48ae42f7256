import { describe, expect, test } from 'vitest'
import { expectDone, expectSound } from './evidence.ts'
import type { End, Harness, Site } from './harness.ts'
import { linesOf } from './ledger.ts'
import type { Task } from './plan.ts'

/** One thread, several processes: only one of them owns it, and the others are told so. */
export function checkTwoProcesses(site: Site): void {
  describe.concurrent('two processes on one thread', () => {
    test.each(sleepers)('[B402] one sleeps for longer than its lease, and wakes up: $sort, $point', async row => {
      await using harness = site.harness()
      const task: Task = { do: 'converse', thread: 'thread', inputs: [`${row.sort} <in-1>`] }
      const sleeper = await harness.start(task, { stop: { point: row.point, signal: 'SIGSTOP' } })
      await harness.until(lines => linesOf(lines, 'point').some(({ point }) => point === row.point))
      expectDone(await harness.run(task))
      const before = await expectSound(harness, true)
      expect(await sleeper.wake()).toMatchObject({ signal: null, report: { kind: 'failed', code: 'fenced' } })
      const [refused] = linesOf(harness.lines(), 'refused').filter(({ why }) => why === 'fenced')
      expect(refused.write).toBe(row.refused)
      const after = await expectSound(harness, true)
      const added = after.get('thread')?.slice(before.get('thread')?.length)
      expect(added?.map(({ kind }) => kind)).toEqual(row.added)
    })

    test('[B403] both submit the same keys at once: each input is there once, with one receipt', async () => {
      await using harness = site.harness()
      const inputs = Object.fromEntries(keys.map((key, index) => [key, `plain <in-${index}>`]))
      const [one, other] = await atOnce(harness, [
        { do: 'submit', thread: 'thread', inputs },
        { do: 'submit', thread: 'thread', inputs },
      ])
      expect(one.report).toMatchObject({ kind: 'done', answer: keys.map(() => expect.any(Number)) })
      expect(other.report).toEqual(one.report)
      const entries = (await expectSound(harness, false)).get('thread')
      expect(entries?.map(({ kind }) => kind)).toEqual(keys.map(() => 'input-submit'))
    })

    test('[B403] both submit the same keys and answer at once: one turn for each input', async () => {
      await using harness = site.harness()
      const inputs = ['plain <in-1>', 'parallel <in-2>', 'plain <in-3>']
      const ends = await atOnce(harness, [
        { do: 'invoke', thread: 'thread', inputs },
        { do: 'invoke', thread: 'thread', inputs },
      ])
      for (const end of ends) expectDone(end)
      const entries = (await expectSound(harness, true)).get('thread')
      expect(entries?.filter(({ kind }) => kind === 'turn-start')).toHaveLength(inputs.length)
      expect(linesOf(harness.lines(), 'effect').filter(({ tool }) => tool === 'charge')).toHaveLength(4)
    })

    test('[B404] they submit other words under the same keys at once: one is accepted, the other hears of it', async () => {
      await using harness = site.harness()
      const inputs = (word: string) => Object.fromEntries(keys.map((key, index) => [key, `${word} <in-${index}>`]))
      const ends = await atOnce(harness, [
        { do: 'submit', thread: 'thread', inputs: inputs('one') },
        { do: 'submit', thread: 'thread', inputs: inputs('other') },
      ])
      const [one, other] = ends.map(({ report }) => (report?.kind === 'done' ? (report.answer as unknown[]) : []))
      for (const index of keys.keys())
        expect([one[index], other[index]].toSorted()).toEqual([expect.any(Number), 'key-taken'])
      const entries = (await expectSound(harness, false)).get('thread')
      expect(entries).toHaveLength(keys.length)
    })
  })
}

/** Where the first of two falls asleep, which of its writes is refused first when it wakes up, and what it still may add. */
const sleepers: readonly { sort: string; point: string; refused: string; added: string[] }[] = [
  { sort: 'plain', point: 'before response-record', refused: 'response-record', added: [] },
  { sort: 'plain', point: 'before call-start', refused: 'call-start', added: [] },
  // Its effect has happened, so that its result is kept as a late one, without the lease.
  { sort: 'plain', point: 'before call-settle', refused: 'call-settle', added: ['call-late'] },
  { sort: 'plain', point: 'before response-record+turn-end', refused: 'response-record+turn-end', added: [] },
  { sort: 'approval', point: 'before turn-park', refused: 'turn-park', added: [] },
]

const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`)

/** Processes that begin in the same moment, and have no reason to take a thread from one that is only slow. */
export async function atOnce(harness: Harness, tasks: readonly Task[]): Promise<End[]> {
  const children = tasks.map(task => harness.prepare(task, { leaseMs: 15_000 }))
  await Promise.all(children.map(child => child.loaded))
  for (const child of children) void child.go()
  return Promise.all(children.map(({ ended }) => ended))
}
