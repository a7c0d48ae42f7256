import { rmSync } from 'node:fs'
import type { Journal, Write } from '../../../src/journal/index.ts'
import { interleave, LapTimer, type Pace, type Racer } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { fillSqlite, inParallel } from '../../journal/fill.ts'
import { inFolder } from '../../journal/folder.ts'
import { heapInUse } from '../../journal/heap.ts'
import { scriptOf } from '../../journal/script.ts'
import { mustWrite, recordTape, type Tape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

export interface RecoveryOutcome {
  threads: number
  rows: {
    what: string
    perSecond: number
    /** As a multiple of the rate at which the store takes the writes of a recovery, and nothing else is done. */
    best: number
    median: number
    /** What is in use afterwards, as a multiple of what was before; and the most on the way, with what is not yet collected. */
    memory: number
    peak: number
  }[]
}

/** A crash left many threads, each in the midst of a call. Somebody settles them all, and lets the model end the turns. */
export async function run(_: unknown, { quick }: Choice): Promise<RecoveryOutcome> {
  const threads = quick ? 500 : 10_000
  const tape = abandoned(await recordTape(1))
  const writes = await recoveryWrites()
  return inFolder(async file => {
    const racers = {
      plain: new Wreck(file('plain'), threads, tape, (journal, names, tell) =>
        writePlainly(journal, names, tell, writes),
      ),
      turn: new Wreck(file('turn'), threads, tape, byTurn),
      worker: new Wreck(file('worker'), threads, tape, byWorker),
    }
    const paces = await interleave(racers, { rounds: 2, budgetMs: 600_000 })
    const row = (what: string, { best, median }: Pace, { memory, peak }: Wreck) => ({
      ...{ what, perSecond: (threads / best) * 1_000, memory, peak },
      ...{ best: paces.plain.best / best, median: paces.plain.median / median },
    })
    return {
      threads,
      rows: [
        row('the writes alone', paces.plain, racers.plain),
        row('thread.turn() on each', paces.turn, racers.turn),
        row('a worker', paces.worker, racers.worker),
      ],
    }
  })
}

type Recover = (journal: Journal, names: string[], tell: () => void) => Promise<unknown>

const width = 64
const laps = 10

/** A journal that a crash has left, made anew for every round. */
class Wreck implements Racer {
  memory = 0
  peak = 0
  readonly #file: string
  readonly #threads: number
  readonly #tape: Tape
  readonly #recover: Recover
  #names: string[] = []

  constructor(file: string, threads: number, tape: Tape, recover: Recover) {
    this.#file = file
    this.#threads = threads
    this.#tape = tape
    this.#recover = recover
  }

  async prepare(): Promise<void> {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.#file}${suffix}`, { force: true })
    this.#names = await fillSqlite(this.#file, this.#threads, this.#tape)
  }

  async run(): Promise<number[]> {
    const { openJournal } = await loadJournal()
    const journal = await openJournal(`sqlite:${this.#file}`)
    const before = await heapInUse()
    const peak = watchHeap()
    const timer = new LapTimer()
    let done = 0
    await this.#recover(journal, this.#names, () => {
      if (++done % (this.#threads / laps) === 0) timer.lap()
    })
    this.peak = peak() / before
    this.memory = (await heapInUse()) / before
    await mustBeRecovered(journal)
    await journal.close()
    return timer.laps
  }
}

async function mustBeRecovered(journal: Journal): Promise<void> {
  for await (const { state, openCalls, name } of journal.threads())
    if (state !== 'idle' || openCalls > 0) throw new Error(`${name} was not recovered: ${state}, ${openCalls} open`)
}

/** A turn up to the moment when its first call has started; the lease is over at once. */
function abandoned([turn]: Tape): Tape {
  const upToStart = turn.slice(0, 4)
  return [upToStart.map(write => (write.lease ? { ...write, lease: { ...write.lease, ms: 0 } } : write))]
}

const last = scriptOf(1).responses[2]

async function byTurn(journal: Journal, names: string[], tell: () => void): Promise<void> {
  await inParallel(names, width, async name => {
    const turn = await journal.thread(name).turn()
    if (!turn) throw new Error(`nothing to do on ${name}`)
    await turn.record(last)
    tell()
  })
}

async function byWorker(journal: Journal, names: string[], tell: () => void): Promise<void> {
  let left = names.length
  await new Promise<void>((resolve, reject) => {
    journal.work({
      model: () => last,
      thread: { for: 'openai' },
      threads: width,
      onEvent: (_, event) => {
        if (event.kind !== 'turn-end') return
        tell()
        if (--left === 0) resolve()
      },
      onError: (_, error) => reject(error),
    })
  })
}

/** The two writes that a recovery makes, by the store alone. */
async function writePlainly(journal: Journal, names: string[], tell: () => void, writes: Write[]): Promise<void> {
  await inParallel(names, width, async name => {
    const { thread } = await journal.store.open(name)
    for (const write of writes) await mustWrite(journal.store, { ...write, thread })
    tell()
  })
}

/** What the broker writes when it recovers such a thread, seen on a journal in memory. */
async function recoveryWrites(): Promise<Write[]> {
  const { MemoryStore, openJournal } = await loadJournal()
  const store = new MemoryStore()
  const { thread } = await store.open('one')
  for (const write of abandoned(await recordTape(1))[0]) await mustWrite(store, { ...write, thread })
  const writes: Write[] = []
  const write = store.write.bind(store)
  store.write = each => {
    writes.push(each)
    return write(each)
  }
  const journal = await openJournal(store)
  await byTurn(journal, ['one'], () => {})
  await journal.close()
  return writes
}

function watchHeap(): () => number {
  let most = 0
  const timer = setInterval(() => {
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external)
  }, 20)
  return () => {
    clearInterval(timer)
    return most
  }
}
