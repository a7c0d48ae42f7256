import type { Journal } from '../../../src/journal/index.ts'
import { type Course, interleave, type Pace, type Racer, timed } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { openBareTurns } from '../../journal/bare-turns.ts'
import { changesOf } from '../../journal/changes.ts'
import { fillSqlite } from '../../journal/fill.ts'
import { bytesOnDisk, inFolder } from '../../journal/folder.ts'
import { openGraph } from '../../journal/langgraph.ts'
import { play } from '../../journal/play.ts'
import { payloadPerTurn } from '../../journal/script.ts'
import { recordTape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

export interface TurnsRow {
  subject: string
  /** How many turns the long thread has before the one that is measured. */
  turns: number
  /** Turn 2 and the last one, as multiples of a turn by bare SQL that is durable. */
  short: number
  long: number
  /** The last turn as a multiple of turn 2. */
  growth: number
  /** What so many turns take on disk, as a multiple of what was said. */
  disk?: number
}

type File = (name: string) => string

/** Turn 2 and turn 201 of a thread, and what 200 turns take on disk. The model gets the messages and answers at once. */
export async function run(subject: 'antiphon' | 'langgraph', { quick }: Choice): Promise<TurnsRow[]> {
  return subject === 'antiphon'
    ? inFolder(file => measureJournal(file, 200, { rounds: quick ? 15 : 50, budgetMs: quick ? 8_000 : 40_000 }))
    : inFolder(file => measureGraph(file, quick ? 30 : 200))
}

async function measureJournal(file: File, turns: number, course: Course): Promise<TurnsRow[]> {
  const { openJournal } = await loadJournal()
  const tape = await recordTape(turns)
  const names = {
    short: await fillSqlite(file('journal'), course.rounds * 4, tape.slice(0, 1), 'short'),
    long: await fillSqlite(file('journal'), course.rounds * 4, tape, 'long'),
  }
  const durable = await openJournal(`sqlite:${file('journal')}`)
  const fast = await openJournal(`sqlite:${file('journal')}`, { durability: 'process' })
  const floor = await openBareTurns(file('bare'), changesOf(tape))
  /** Every round takes another thread, so that each turn is the very same one. */
  const racer = (journal: Journal, length: 'short' | 'long', kind: number, isWarm: boolean, options = {}): Racer => {
    const threadOf = (round: number) => journal.thread(names[length][kind * course.rounds + round], options)
    let thread = threadOf(0)
    return {
      async prepare(round) {
        thread = threadOf(round)
        if (isWarm) await thread.messages()
      },
      run: () => play(thread, length === 'short' ? 2 : turns + 1, { reads: true }),
    }
  }
  const paces = await interleave(
    {
      floor,
      ...{ shortDurable: racer(durable, 'short', 0, true), longDurable: racer(durable, 'long', 0, true) },
      ...{ shortFast: racer(fast, 'short', 1, true), longFast: racer(fast, 'long', 1, true) },
      ...{ shortCold: racer(durable, 'short', 2, false), longCold: racer(durable, 'long', 2, false) },
      ...{ shortFrozen: racer(fast, 'short', 3, true, frozen), longFrozen: racer(fast, 'long', 3, true, frozen) },
    },
    course,
  )
  for (const each of [durable, fast, floor]) await each.close()
  const disk = await diskOf(file('disk'), turns)
  const row = (subject: string, short: Pace, long: Pace) => rowOf(subject, turns, paces.floor, short, long)
  return [
    { ...row('antiphon', paces.shortDurable, paces.longDurable), disk },
    row('antiphon, thread read anew', paces.shortCold, paces.longCold),
    row("antiphon, durability 'process'", paces.shortFast, paces.longFast),
    row("antiphon, durability 'process', frozen", paces.shortFrozen, paces.longFrozen),
  ]
}

const frozen = { messages: 'frozen' } as const

async function diskOf(file: string, turns: number): Promise<number> {
  const { openJournal } = await loadJournal()
  const journal = await openJournal(`sqlite:${file}`, { durability: 'process' })
  const thread = journal.thread('one')
  for (let turn = 1; turn <= turns; turn++) await play(thread, turn, { reads: false })
  await journal.close()
  return bytesOnDisk(file) / (turns * payloadPerTurn)
}

async function measureGraph(file: File, turns: number): Promise<TurnsRow[]> {
  const graph = await openGraph(file('graph'))
  for (let turn = 1; turn <= turns; turn++) await graph.play('long', turn)
  graph.checkpoint()
  const disk = bytesOnDisk(file('graph')) / (turns * payloadPerTurn)
  const floor = await openBareTurns(file('bare'), changesOf(await recordTape(samples)))
  const short = {
    prepare: (round: number) => graph.play(`short-${round}`, 1),
    run: (round: number) => timed(() => graph.play(`short-${round}`, 2)),
  }
  const long = { run: (round: number) => timed(() => graph.play('long', turns + 1 + round)) }
  const paces = await interleave({ floor, short, long }, { rounds: samples, budgetMs: 30_000 })
  graph.close()
  floor.close()
  return [{ ...rowOf('langgraph', turns, paces.floor, paces.short, paces.long), disk }]
}

const samples = 12

const rowOf = (subject: string, turns: number, floor: Pace, short: Pace, long: Pace): TurnsRow => ({
  ...{ subject, turns, short: short.best / floor.best, long: long.best / floor.best, growth: long.best / short.best },
})
