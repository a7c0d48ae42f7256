import type { Entry, EntryData } from '../../../src/journal/entry.ts'
import { evolve, initialState, type JournalCall, type ThreadState } from '../../../src/journal/fold.ts'
import type { Erasure, Store, ThreadRow, Write, WriteResult } from '../../../src/journal/stores/store.ts'

/** A thread as everything that was ever written to it tells it. */
export interface Watched {
  readonly thread: number
  readonly name: string
  readonly uid: string
  readonly state: ThreadState
  readonly entries: Entry[]
  /** Who wrote each entry. */
  readonly writers: string[]
  /** Somebody has begun to erase it. */
  isErased: boolean
  /** Nothing is left of it. */
  isGone: boolean
}

/**
 * Stands between all processes and their store, and sees every write in the moment in which it is done. Whatever is left to do
 * in a thread has to be due from then on: if its owner dies, nobody else finds it.
 */
export class Observer {
  readonly threads = new Map<number, Watched>()
  readonly problems: string[] = []
  readonly #now: () => number
  /** Hears of every write that was done. */
  onWrite: () => void = () => {}

  constructor(now: () => number) {
    this.#now = now
  }

  /** The store as one of the processes reaches it. */
  watch(store: Store, writer: string): Store {
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'write') return (write: Write) => this.#write(target, write, writer)
        if (name === 'erase') return (...asked: Parameters<Store['erase']>) => this.#erase(target, ...asked)
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  named(name: string): Watched | undefined {
    return [...this.threads.values()].find(watched => watched.name === name)
  }

  async #write(store: Store, write: Write, writer: string): Promise<WriteResult> {
    const written = await store.write(write)
    if (!written.ok) return written
    const row = await store.get(write.thread)
    const watched = this.#watched(row)
    if (watched.isErased) this.problems.push(`${row.name} was written by ${writer} after it was erased`)
    for (const entry of stored(write.entries, written)) this.#take(watched, entry, writer)
    const problem = dueProblem(watched.state, row, this.#now())
    if (problem) this.problems.push(`${row.name} at ${row.head}, after ${kindsOf(write)} by ${writer}: ${problem}`)
    this.onWrite()
    return written
  }

  async #erase(store: Store, ...[thread, options]: Parameters<Store['erase']>): Promise<Erasure> {
    const { name } = await store.get(thread)
    const erasure = await store.erase(thread, options)
    if (erasure === 'active') return erasure
    const watched = this.#watched({ ...(await store.get(thread)), name })
    watched.isErased = true
    watched.isGone ||= erasure === 'erased'
    return erasure
  }

  #take(watched: Watched, entry: Entry, writer: string): void {
    watched.entries.push(entry)
    watched.writers.push(writer)
    try {
      evolve(watched.state, entry)
    } catch (error) {
      this.problems.push(`${watched.name} at ${entry.seq}: ${error}`)
    }
  }

  #watched({ thread, name, uid }: ThreadRow): Watched {
    const known = this.threads.get(thread)
    if (known) return known
    const made: Watched = {
      thread,
      name,
      uid,
      state: initialState(uid),
      entries: [],
      writers: [],
      isErased: false,
      isGone: false,
    }
    this.threads.set(thread, made)
    return made
  }
}

function stored(data: readonly EntryData[], { head, epoch, at }: Extract<WriteResult, { ok: true }>): Entry[] {
  const first = head - data.length + 1
  return data.map((entry, index) => ({
    ...(JSON.parse(JSON.stringify(entry)) as EntryData),
    ...{ seq: first + index, at, epoch },
  }))
}

/** What is left to do and not due, so that no worker would ever find it. */
function dueProblem(state: ThreadState, { dueAt }: ThreadRow, now: number): string | undefined {
  const wanted = wantedAt(state, now)
  if (wanted === undefined || (dueAt !== undefined && dueAt <= wanted)) return undefined
  return `there is something to do from ${wanted} on, but it is due ${dueAt === undefined ? 'never' : `at ${dueAt}`}`
}

function wantedAt(state: ThreadState, now: number): number | undefined {
  const { turn, waiting, open } = state
  if (!turn) return waiting.length > 0 ? now : undefined
  if (!turn.parked || turn.interrupted || open.size === 0) return now
  const waits = [...open.values()].map(call => waitsUntil(call, now))
  return Math.min(...waits) === Infinity ? undefined : Math.max(now, Math.min(...waits))
}

/** When somebody has to look at a call of a parked turn: now if it can run, else when it expires. */
function waitsUntil({ parked, decision }: JournalCall, now: number): number {
  const canRun = !parked || (parked.why === 'approval' && decision?.approved)
  return canRun ? now : (parked.until ?? Infinity)
}

const kindsOf = ({ entries, dueAt }: Write): string =>
  entries.length > 0 ? entries.map(({ kind }) => kind).join('+') : `dueAt ${dueAt}`
