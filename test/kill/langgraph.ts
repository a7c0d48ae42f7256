import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness, Site } from './harness.ts'
import { linesOf } from './ledger.ts'
import { atOnce } from './two-processes.ts'

/** What LangGraph 1.4.18 was seen to do wrong with SqliteSaver and `durability: 'sync'`, on this journal. */
export function checkLangGraphFailures(site: Site): void {
  describe.concurrent('where LangGraph fails', () => {
    test('[B409] killed inside a tool, then resumed: one call, one effect', async () => {
      await using harness = site.harness()
      await killInTool(harness)
      expectDone(await harness.run({ do: 'resume', thread: 'thread' }))
      const entries = await entriesOf(harness)
      expect(linesOf(harness.lines(), 'effect')).toHaveLength(1)
      expect(outcomes(entries)).toEqual([{ status: 'made-up', state: 'unknown' }])
      expect(kindsBehindSettlement(entries)).toEqual(['response-record', 'turn-end'])
    })

    test('[B410] killed inside a tool, then a new message: no call dangles, and the message follows the result', async () => {
      await using harness = site.harness()
      await killInTool(harness)
      const task = { do: 'invoke', thread: 'thread', inputs: ['hello <in-2>'] } as const
      expectDone(await harness.run(task))
      const entries = await entriesOf(harness)
      expect(linesOf(harness.lines(), 'effect')).toHaveLength(1)
      expect(outcomes(entries)).toEqual([{ status: 'made-up', state: 'unknown' }])
      expect(kindsBehindSettlement(entries)).toEqual(['input-admit', 'response-record', 'turn-end'])
    })

    test.each([1, 2, 3])(
      '[B411] two invokes at once on one thread: no turn is lost, each tool runs once (%i)',
      async () => {
        await using harness = site.harness()
        const inputs = ['plain <in-1>', 'plain <in-2>']
        const ends = await atOnce(
          harness,
          inputs.map(input => ({ do: 'invoke', thread: 'thread', inputs: [input] })),
        )
        for (const end of ends) expectDone(end)
        await expectBothAnswered(harness)
      },
    )

    test('[B411] two invokes at once in one process: no turn is lost, each tool runs once', async () => {
      await using harness = site.harness()
      const task = { do: 'invoke', thread: 'thread', inputs: ['plain <in-1>', 'plain <in-2>'] } as const
      expectDone(await harness.run(task, { leaseMs: 15_000 }))
      await expectBothAnswered(harness)
    })
  })
}

async function killInTool(harness: Harness): Promise<void> {
  const task = { do: 'invoke', thread: 'thread', inputs: ['plain <in-1>'] } as const
  const end = await harness.run(task, { stop: { point: 'tool after its effect', signal: 'SIGKILL' } })
  expect(end).toMatchObject({ signal: 'SIGKILL' })
}

async function expectBothAnswered(harness: Harness): Promise<void> {
  const entries = await entriesOf(harness)
  expect(entries.filter(({ kind }) => kind === 'turn-start')).toHaveLength(2)
  expect(outcomes(entries).map(({ status }) => status)).toEqual(['done', 'done'])
  expect(linesOf(harness.lines(), 'effect')).toHaveLength(2)
}

const entriesOf = async (harness: Harness): Promise<readonly Entry[]> =>
  (await expectSound(harness, true)).get('thread') ?? []

const outcomes = (entries: readonly Entry[]) =>
  entries.flatMap(entry => {
    if (entry.kind !== 'call-settle') return []
    const { status, state } = entry.outcome
    return [{ status, ...(state && { state }) }]
  })

const kindsBehindSettlement = (entries: readonly Entry[]): string[] =>
  entries.slice(entries.findIndex(({ kind }) => kind === 'call-settle') + 1).map(({ kind }) => kind)
