import { randomBytes } from 'node:crypto'
import type { JournalOptions, Thread } from '../../../src/journal/index.ts'
import { type Course, interleave, type Pace, type Racer, timed } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { inFolder } from '../../journal/folder.ts'
import { play } from '../../journal/play.ts'
import type { Choice } from '../../task.ts'

export interface OperationRow {
  what: string
  /** As a multiple of the same on a short thread, or without the option. */
  best: number
  median: number
  most?: number
}

/** A fork, and a turn after a summary, on a long thread against a short one; and turns of a sealed journal against a plain one. */
export async function run(_: unknown, { quick }: Choice): Promise<OperationRow[]> {
  return inFolder(async file => {
    const { openJournal } = await loadJournal()
    const course = { rounds: quick ? 60 : 200, budgetMs: quick ? 5_000 : 20_000 }
    const open = (name: string, options: JournalOptions) => openJournal(`sqlite:${file(name)}`, options)
    const [turns, few] = [quick ? 1_000 : 10_000, 10]
    const long = `a thread of ${turns.toLocaleString('en')} turns`

    // No waiting for the disk: what is looked for is what the length costs.
    const journal = await open('threads', { durability: 'process' })
    const filled = async (name: string, length: number): Promise<Player> => {
      const thread = journal.thread(name)
      for (let turn = 1; turn <= length; turn++) await play(thread, turn, { reads: false })
      return new Player(thread, length, true)
    }
    const threads = { long: await filled('long', turns), short: await filled('short', few) }
    const forked = await race(fork(threads.long), fork(threads.short), course)
    await threads.long.thread.compact({ keepTurns: few, summary: 'What was said.' })
    const summarized = await race(threads.long, threads.short, course)
    await journal.close()

    const sealed = async (durability: 'full' | 'process') => {
      const journals = await Promise.all(
        [{ seal: randomBytes(32) }, {}].map((seal, index) => open(`${durability}-${index}`, { durability, ...seal })),
      )
      const [one, other] = journals.map(each => new Player(each.thread('turns'), 0, false))
      const pace = await race(one, other, course)
      await Promise.all(journals.map(each => each.close()))
      return pace
    }
    return [
      { what: `a fork of ${long}, of one of ${few} turns`, ...forked, most: 1.5 },
      { what: `a turn after a summary of ${long}, of one after ${few} turns`, ...summarized, most: 1.5 },
      { what: 'a turn of a sealed journal, of one of a plain journal', ...(await sealed('full')), most: 1.3 },
      { what: 'the same, without fsync', ...(await sealed('process')) },
    ]
  })
}

/** Plays one turn of a thread after the other. */
class Player implements Racer {
  readonly thread: Thread
  readonly #reads: boolean
  #played: number

  constructor(thread: Thread, played: number, reads: boolean) {
    this.thread = thread
    this.#played = played
    this.#reads = reads
  }

  run(): Promise<number[]> {
    return play(this.thread, ++this.#played, { reads: this.#reads })
  }
}

const fork = ({ thread }: Player): Racer => ({ run: () => timed(() => thread.fork()) })

async function race(one: Racer, other: Racer, course: Course): Promise<Pace> {
  const paces = await interleave({ one, other }, course)
  return { best: paces.one.best / paces.other.best, median: paces.one.median / paces.other.median }
}
