import type { Thread } from '../../../src/journal/index.ts'
import { interleave, type Pace } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { bytesOnDisk, inFolder } from '../../journal/folder.ts'
import { heapInUse } from '../../journal/heap.ts'
import { play } from '../../journal/play.ts'
import { payloadPerTurn } from '../../journal/script.ts'
import type { Choice } from '../../task.ts'

export interface GrowthRow {
  turns: number
  /** A turn more, as a multiple of the same on the shortest thread; also if the model takes the messages, at every step, or takes them frozen. */
  blind: number
  reading: number
  frozen: number
  /** All of it on disk, as a multiple of what was said. */
  disk: number
  /** The thread in memory, as a multiple of what was said. */
  memory: number
}

/** One thread that grows without end. No waiting for the disk: what is looked for is what the length costs. */
export async function run(_: unknown, { quick }: Choice): Promise<GrowthRow[]> {
  return inFolder(async file => {
    const { openJournal } = await loadJournal()
    const long: Long[] = []
    for (const turns of quick ? [100, 1_000] : [1_000, 10_000]) {
      const journal = await openJournal(`sqlite:${file(String(turns))}`, { durability: 'process' })
      const thread = journal.thread('long')
      for (let turn = 1; turn <= turns; turn++) await play(thread, turn, { reads: false })
      await journal.close()
      const disk = bytesOnDisk(file(String(turns)))
      long.push({ turns, disk, ...(await reopen(file(String(turns)))), next: turns + 1 })
    }
    const course = { rounds: quick ? 20 : 60, budgetMs: quick ? 5_000 : 30_000 }
    const blind = await race(long, course, ({ thread }) => ({ thread, reads: false }))
    const reading = await race(long, course, ({ thread }) => ({ thread, reads: true }))
    const frozen = await race(long, course, each => ({ thread: each.frozen, reads: true }))
    for (const { close } of long) await close()
    return long.map(({ turns, disk, memory }, index) => ({
      turns,
      blind: blind[index].best / blind[0].best,
      reading: reading[index].best / reading[0].best,
      frozen: frozen[index].best / frozen[0].best,
      disk: disk / (turns * payloadPerTurn),
      memory: memory / (turns * payloadPerTurn),
    }))
  })
}

interface Long {
  turns: number
  thread: Thread
  /** The same thread with frozen messages. */
  frozen: Thread
  next: number
  disk: number
  /** The bytes that the thread holds once it was read and drawn. */
  memory: number
  close(): Promise<void>
}

async function reopen(file: string): Promise<Pick<Long, 'thread' | 'frozen' | 'memory' | 'close'>> {
  const { openJournal } = await loadJournal()
  const journal = await openJournal(`sqlite:${file}`, { durability: 'process' })
  const before = await heapInUse()
  const thread = journal.thread('long')
  await thread.messages()
  const memory = (await heapInUse()) - before
  return { thread, frozen: journal.thread('long', { messages: 'frozen' }), memory, close: () => journal.close() }
}

async function race(
  long: Long[],
  course: { rounds: number; budgetMs: number },
  how: (each: Long) => { thread: Thread; reads: boolean },
): Promise<Pace[]> {
  const racers = long.map(each => {
    const { thread, reads } = how(each)
    return [each.turns, { run: () => play(thread, each.next++, { reads }) }]
  })
  const paces: Record<string, Pace> = await interleave(Object.fromEntries(racers), course)
  return long.map(({ turns }) => paces[turns])
}
