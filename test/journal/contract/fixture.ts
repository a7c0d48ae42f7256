import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../src/journal/clock.ts'
import type { Entry, EntryKind } from '../../../src/journal/entry.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { FakeClock } from './fake-clock.ts'
import { PausingClock } from './pausing-clock.ts'
import { Process } from './process.ts'
import { expectSound } from './sound.ts'

/** A journal that is empty. */
export interface Opened {
  /** One more store on it, as another process would open it. A memory has only one. */
  open(): Promise<Store>
  /** The clock that its leases go by. Without it time is real. */
  readonly clock?: FakeClock
  /** Closes every store that was opened, and cleans up. */
  close(): Promise<void>
}

/** What the tests of the journal share: a journal for each test, processes that use it, and a clock. */
export class Fixture {
  readonly #open: () => Promise<Opened>
  #opened: Opened | undefined
  #processes: Process[] = []

  constructor(open: () => Promise<Opened>) {
    this.#open = open
  }

  async enter(): Promise<void> {
    this.#opened = await this.#open()
  }

  /** Whatever a test did, every thread is sound after it. */
  async leave(): Promise<void> {
    try {
      const [process] = this.#processes
      if (process)
        for await (const row of process.journal.threads({ children: true })) await expectSound(process.store, row)
    } finally {
      for (const process of this.#processes.splice(0)) process.pause()
      await this.#opened?.close()
      this.#opened = undefined
    }
  }

  /** A process with a journal of its own on the same store. Its clock is right, or wrong by as much as is said. */
  async process(aheadMs = 0): Promise<Process> {
    const clock = new PausingClock(this.opened.clock ?? systemClock, aheadMs)
    const process = new Process(await this.opened.open(), clock, `process ${this.#processes.length + 1}`)
    this.#processes.push(process)
    return process
  }

  /** A time that passes quickly here: for leases, time limits and expiries that are to be over. */
  get soonMs(): number {
    return this.opened.clock ? 1_000 : 150
  }

  /** Lets at least so much time go by. */
  async pass(ms: number): Promise<void> {
    if (this.opened.clock) await this.opened.clock.advance(ms)
    else await sleep(ms + 5)
  }

  /** Lets time go by until the work is done. */
  async during<T>(work: PromiseLike<T>): Promise<T> {
    let isDone = false
    const done = Promise.resolve(work).finally(() => {
      isDone = true
    })
    done.catch(() => {})
    await this.until(() => isDone)
    return done
  }

  /** Lets time go by until something is so. */
  async until(isSo: () => unknown): Promise<void> {
    const end = Date.now() + patienceMs
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`it did not come to pass: ${isSo}`)
      await this.pass(stepMs)
    }
  }

  private get opened(): Opened {
    if (!this.#opened) throw new Error('no test runs')
    return this.#opened
  }
}

/** The entries of a thread, as somebody reads them who has nothing to do with it. */
export async function entriesOf({ store }: Process, name = 't'): Promise<Entry[]> {
  const row = await store.find(name)
  return row ? store.read(row.thread, 0) : []
}

export const kindsOf = async (process: Process, name?: string): Promise<EntryKind[]> =>
  (await entriesOf(process, name)).map(({ kind }) => kind)

/** The entries of one kind. */
export const those = <Kind extends EntryKind>(
  entries: readonly Entry[],
  kind: Kind,
): Extract<Entry, { kind: Kind }>[] =>
  entries.filter((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind)

const stepMs = 10
const patienceMs = 300_000
