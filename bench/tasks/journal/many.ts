import type { Journal } from '../../../src/journal/index.ts'
import { interleave, type Racer, timed } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { fillSqlite, inParallel } from '../../journal/fill.ts'
import { inFolder } from '../../journal/folder.ts'
import { heapInUse } from '../../journal/heap.ts'
import { play } from '../../journal/play.ts'
import { recordTape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

export interface ManyOutcome {
  threads: number
  rows: {
    what: string
    /** In the journal with many threads, as a multiple of the same in one with ten. */
    best: number
    median: number
  }[]
  /** What is in use after a turn of every thread, as a multiple of what was in use after a tenth of them. */
  memory: number
}

const few = 10

/** A journal with 10,000 threads beside one with ten. */
export async function run(_: unknown, { quick }: Choice): Promise<ManyOutcome> {
  const threads = quick ? 2_000 : 10_000
  const rounds = quick ? 60 : 200
  return inFolder(async file => {
    const { openJournal } = await loadJournal()
    const tape = await recordTape(1)
    const names = { few: await fillSqlite(file('few'), few, tape), many: await fillSqlite(file('many'), threads, tape) }
    const rows: ManyOutcome['rows'] = []
    for (const durability of ['full', 'process'] as const) {
      const small = await openJournal(`sqlite:${file('few')}`, { durability })
      const large = await openJournal(`sqlite:${file('many')}`, { durability })
      const course = { rounds, budgetMs: quick ? 4_000 : 12_000 }
      const turns = await interleave({ few: turnRacer(small, names.few), many: turnRacer(large, names.many) }, course)
      rows.push({ what: `a turn, durability '${durability}'`, ...ratioOf(turns) })
      if (durability === 'process') {
        const due = await interleave({ few: dueRacer(small), many: dueRacer(large) }, course)
        rows.push({ what: 'asking which threads are due', ...ratioOf(due) })
      }
      for (const journal of [small, large]) await journal.close()
    }
    return { threads, rows, memory: await memoryGrowth(file('many'), names.many) }
  })
}

/**
 * Threads by turns and far apart, so that no two neighbours are on one page. Each is read before, and its messages are not
 * drawn: the few threads get longer than the many, and neither is to count.
 */
function turnRacer(journal: Journal, names: string[]): Racer {
  let thread = journal.thread(names[0])
  let number = 0
  return {
    async prepare(round) {
      thread = journal.thread(names[(round * 7_919) % names.length])
      number = ((await thread.status()).last?.turn ?? 0) + 1
    },
    run: () => play(thread, number, { reads: false }),
  }
}

const dueRacer = (journal: Journal): Racer => ({ run: () => timed(() => journal.store.due(8)) })

const ratioOf = ({ few, many }: Record<'few' | 'many', { best: number; median: number }>) => ({
  ...{ best: many.best / few.best, median: many.median / few.median },
})

/** One process works on every thread once. What it has done with is not kept. */
async function memoryGrowth(file: string, names: string[]): Promise<number> {
  const { openJournal } = await loadJournal()
  const journal = await openJournal(`sqlite:${file}`, { durability: 'process' })
  const work = (some: string[]) =>
    inParallel(some, 64, async name => {
      const thread = journal.thread(name)
      await play(thread, ((await thread.status()).last?.turn ?? 0) + 1, { reads: true })
    })
  await work(names.slice(0, names.length / 10))
  const early = await heapInUse()
  await work(names.slice(names.length / 10))
  const late = await heapInUse()
  await journal.close()
  return late / early
}
