import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Entry } from '../../../../src/journal/entry.ts'
import type { RefusalReason, Store, ThreadRow, Write, WriteResult } from '../../../../src/journal/stores/store.ts'
import { admit, respond, submit } from '../../sample-entries.ts'

/** A store on a journal that is empty. Its clock stands at the present, or goes with it. */
export interface Opened {
  readonly store: Store
  /** One more store on the same journal, while the first is open or after it was closed. A memory has none. */
  readonly reopen?: () => Promise<Store>
  /** Moves the clock that leases go by. Without it the suite waits until real time has passed. */
  readonly advance?: (ms: number) => void
  /** Threads are in several databases, so that their keys do not count up in the order of their creation. */
  readonly isDivided?: boolean
  /** Closes every store that was opened, also one that is closed already, and cleans up. */
  close(): Promise<void>
}

/** What the tests of the contract stand on: a fresh store for each, and the questions that many of them ask. */
export class Fixture {
  readonly #open: () => Promise<Opened>
  #opened: Opened | undefined
  #threads = 0

  constructor(open: () => Promise<Opened>) {
    this.#open = open
  }

  async enter(): Promise<void> {
    this.#opened = await this.#open()
  }

  async leave(): Promise<void> {
    await this.#opened?.close()
    this.#opened = undefined
  }

  get opened(): Opened {
    if (!this.#opened) throw new Error('no test runs')
    return this.#opened
  }

  get store(): Store {
    return this.opened.store
  }

  /** Another store on the same journal, or the same one if there is no other. */
  async reopen(): Promise<Store> {
    return (await this.opened.reopen?.()) ?? this.store
  }

  /** Names in the order of their keys: for most stores that of their creation. */
  async inOrder(names: readonly string[]): Promise<string[]> {
    if (!this.opened.isDivided) return [...names]
    const rows = await Promise.all(names.map(name => this.store.find(name)))
    const keys = new Map(names.map((name, index) => [name, rows[index]?.thread ?? 0]))
    return names.toSorted((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0))
  }

  /** Lets at least so much time go by for the store. */
  async pass(ms: number): Promise<void> {
    if (this.opened.advance) this.opened.advance(ms)
    else await sleep(ms + 5)
  }

  /** All entries of a thread, page by page. */
  async all(thread: number): Promise<Entry[]> {
    const entries: Entry[] = []
    for (let page = await this.store.read(thread, 0); page.length > 0; ) {
      entries.push(...page)
      page = await this.store.read(thread, entries[entries.length - 1].seq)
    }
    return entries
  }

  async accept(write: Write): Promise<Extract<WriteResult, { ok: true }>> {
    const written = await this.store.write(write)
    if (!written.ok) throw new Error(`refused, ${written.why}: ${JSON.stringify(write)}`)
    return written
  }

  /** The write is refused for that reason, and says how the thread is. */
  async refuse(write: Write, why: RefusalReason): Promise<void> {
    const before = await this.store.get(write.thread)
    expect(await this.store.write(write)).toEqual({ ok: false, why, row: before })
    expect(await this.store.get(write.thread)).toEqual(before)
  }

  /** A thread whose last entry is a response with calls. */
  async threadWithCalls(calls: number, ...answered: number[]): Promise<{ thread: number; step: number }> {
    const { thread } = await this.store.open(`thread with calls ${this.#threads++}`)
    const { head } = await this.accept({ thread, entries: [submit(), admit(1), respond(calls, ...answered)] })
    return { thread, step: head }
  }
}

/** All that can be seen of a thread. */
export async function picture(store: Store, thread: number): Promise<{ row: ThreadRow; entries: Entry[] }> {
  return { row: await store.get(thread), entries: await store.read(thread, 0) }
}

/** Asks without any chance to write: no thread has that epoch. */
export async function isKnown(store: Store, thread: number, key: string): Promise<boolean> {
  const written = await store.write({ thread, entries: [], epoch: -1, input: { key, digest: '' } })
  return !written.ok && written.why === 'known'
}

/** A lease that does not end while a test runs. */
export const long = (owner: string) => ({ owner, ms: 600_000 })

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq)

export const whys = (written: readonly WriteResult[]): RefusalReason[] =>
  written.flatMap(answer => (answer.ok ? [] : [answer.why]))
