import { interleave, LapTimer, type Pace } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { openBareTurns } from '../../journal/bare-turns.ts'
import { changesOf } from '../../journal/changes.ts'
import { inFolder } from '../../journal/folder.ts'
import { play } from '../../journal/play.ts'
import { mustWrite, recordTape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

export interface TransitionRow {
  what: string
  best: number
  median: number
  /** How far the baseline was from its best: 1 on a quiet machine. */
  noise: number
}

/** The writes of a turn, as a multiple of the same changes by bare SQL; each write is durable before the next begins. */
export async function run(durability: 'full' | 'process', { quick }: Choice): Promise<TransitionRow[]> {
  const tape = await recordTape(quick ? 150 : 500)
  const changes = changesOf(tape)
  return inFolder(async file => {
    const { openJournal } = await loadJournal()
    const journal = await openJournal(`sqlite:${file('journal')}`, { durability })
    const { thread } = await journal.store.open('by the store')
    const conversation = journal.thread('by the broker')
    const bare = await openBareTurns(file('bare'), changes, durability)
    const again = await openBareTurns(file('again'), changes, durability)
    const store = {
      async run(round: number) {
        const timer = new LapTimer()
        for (const write of tape[round]) {
          await mustWrite(journal.store, { ...write, thread })
          timer.lap()
        }
        return timer.laps
      },
    }
    const broker = { run: (round: number) => play(conversation, round + 1, { reads: false }) }
    const course = { rounds: tape.length, budgetMs: quick ? 8_000 : 30_000 }
    const paces = await interleave({ bare, again, store, broker }, course)
    await journal.close()
    for (const each of [bare, again]) each.close()
    return rowsOf(paces)
  })
}

/** Every pace but the bare one, as multiples of it. */
export function rowsOf({ bare, ...others }: Record<string, Pace> & { bare: Pace }): TransitionRow[] {
  return Object.entries(others).map(([what, { best, median }]) => ({
    ...{ what, best: best / bare.best, median: median / bare.median },
    noise: bare.median / bare.best,
  }))
}
