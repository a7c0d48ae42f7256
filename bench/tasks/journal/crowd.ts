import { interleave, type Pace, type Racer, timed } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { BareSqlite } from '../../journal/bare-sqlite.ts'
import { changesOf } from '../../journal/changes.ts'
import { inFolder } from '../../journal/folder.ts'
import { play } from '../../journal/play.ts'
import { recordTape, replay } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

/** How many times the rate of one commit after the other. */
export interface CrowdRow {
  what: string
  best: number
  median: number
}

export const width = 64

/** A turn of each of 64 threads: all at once, against one write after the other, each with a commit of its own. */
export async function run(_: unknown, { quick }: Choice): Promise<CrowdRow[]> {
  const rounds = quick ? 3 : 8
  const tape = await recordTape(rounds)
  const changes = changesOf(tape)
  return inFolder(async file => {
    const { openJournal } = await loadJournal()
    const names = Array.from({ length: width }, (_, index) => `thread-${index}`)
    const [single, batched] = [await BareSqlite.open(file('single')), await BareSqlite.open(file('batched'))]
    const [one, other] = [single.addThreads(names), batched.addThreads(names)]
    const journal = await openJournal(`sqlite:${file('journal')}`)
    const keys = await Promise.all(names.map(async name => (await journal.store.open(`${name}-store`)).thread))
    const [crowd, queue] = ['crowd', 'queue'].map(kind => names.map(name => journal.thread(`${name}-${kind}`)))
    const paces = await interleave(
      {
        single: racer(round => {
          for (const change of changes[round]) for (const thread of one) single.write(thread, change)
        }),
        batched: racer(round => {
          for (const change of changes[round]) batched.writeAll(other, change)
        }),
        store: racer(round => Promise.all(keys.map(key => replay(journal.store, key, [tape[round]])))),
        queue: racer(async round => {
          for (const thread of queue) await play(thread, round + 1, { reads: true })
        }),
        crowd: racer(round => Promise.all(crowd.map(thread => play(thread, round + 1, { reads: true })))),
      },
      { rounds, budgetMs: 60_000 },
    )
    await journal.close()
    for (const bare of [single, batched]) bare.close()
    return [
      { what: 'bare SQL, 64 writes a commit', ...gain(paces.single, paces.batched) },
      { what: 'writes of the store', ...gain(paces.single, paces.store) },
      { what: 'whole turns, against whole turns', ...gain(paces.queue, paces.crowd) },
    ]
  })
}

const racer = (work: (round: number) => unknown): Racer => ({ run: round => timed(() => work(round)) })

const gain = (before: Pace, after: Pace) => ({ best: before.best / after.best, median: before.median / after.median })
