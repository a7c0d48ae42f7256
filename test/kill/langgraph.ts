import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Ground, Site } from './ground.ts'
import { linesOf } from './ledger.ts'
import { atOnce } from './two-processes.ts'

/** What LangGraph 1.4.18 was seen to do wrong with SqliteSaver and `durability: 'sync'`, on this journal. */
export function checkLangGraphFailures(site: Site): void {
  describe.concurrent('where LangGraph fails', () => {
    test('[B409] killed inside a tool, then resumed: one call, one effect', async () => {
      await using ground = site.ground()
      await killInTool(ground)
      expectDone(await ground.run({ do: 'resume', thread: 'thread' }))
      const entries = await entriesOf(ground)
      expect(linesOf(ground.lines(), 'effect')).toHaveLength(1)
      expect(outcomes(entries)).toEqual([{ status: 'made-up', state: 'unknown' }])
      expect(kindsBehindSettlement(entries)).toEqual(['response-record', 'turn-end'])
    })

    test('[B410] killed inside a tool, then a new message: no call dangles, and it is said behind the result', async () => {
      await using ground = site.ground()
      await killInTool(ground)
      const task = { do: 'invoke', thread: 'thread', inputs: ['hello <in-2>'] } as const
      expectDone(await ground.run(task))
      const entries = await entriesOf(ground)
      expect(linesOf(ground.lines(), 'effect')).toHaveLength(1)
      expect(outcomes(entries)).toEqual([{ status: 'made-up', state: 'unknown' }])
      expect(kindsBehindSettlement(entries)).toEqual(['input-admit', 'response-record', 'turn-end'])
    })

    test.each([1, 2, 3])(
      '[B411] two invokes at once on one thread: no turn is lost, each tool runs once (%i)',
      async () => {
        await using ground = site.ground()
        const inputs = ['plain <in-1>', 'plain <in-2>']
        const ends = await atOnce(
          ground,
          inputs.map(input => ({ do: 'invoke', thread: 'thread', inputs: [input] })),
        )
        for (const end of ends) expectDone(end)
        await expectBothAnswered(ground)
      },
    )

    test('[B411] two invokes at once in one process: no turn is lost, each tool runs once', async () => {
      await using ground = site.ground()
      const task = { do: 'invoke', thread: 'thread', inputs: ['plain <in-1>', 'plain <in-2>'] } as const
      expectDone(await ground.run(task, { leaseMs: 15_000 }))
      await expectBothAnswered(ground)
    })
  })
}

async function killInTool(ground: Ground): Promise<void> {
  const task = { do: 'invoke', thread: 'thread', inputs: ['plain <in-1>'] } as const
  const end = await ground.run(task, { stop: { point: 'tool after its effect', signal: 'SIGKILL' } })
  expect(end).toMatchObject({ signal: 'SIGKILL' })
}

async function expectBothAnswered(ground: Ground): Promise<void> {
  const entries = await entriesOf(ground)
  expect(entries.filter(({ kind }) => kind === 'turn-start')).toHaveLength(2)
  expect(outcomes(entries).map(({ status }) => status)).toEqual(['done', 'done'])
  expect(linesOf(ground.lines(), 'effect')).toHaveLength(2)
}

const entriesOf = async (ground: Ground): Promise<readonly Entry[]> =>
  (await expectSound(ground, true)).get('thread') ?? []

const outcomes = (entries: readonly Entry[]) =>
  entries.flatMap(entry => {
    if (entry.kind !== 'call-settle') return []
    const { status, state } = entry.outcome
    return [{ status, ...(state && { state }) }]
  })

const kindsBehindSettlement = (entries: readonly Entry[]): string[] =>
  entries.slice(entries.findIndex(({ kind }) => kind === 'call-settle') + 1).map(({ kind }) => kind)
