import type { Entry, Happening } from '../entry.ts'

/**
 * Where journals are kept. A store knows threads, entries, leases and which calls are open, and nothing of turns or of
 * any wire. Whatever it is asked to write it checks itself, inside its own transaction.
 *
 * - One transaction a write: all its entries, or none.
 * - What `write` has acknowledged is there after a crash, as far as the durability that was chosen goes.
 * - Sequence numbers have no gaps and begin with 1; epochs never fall.
 */
export interface Store {
  readonly name: 'memory' | 'sqlite' | 'postgres'
  /** The thread of that name, which is made if it is not there yet. */
  open(name: string): Promise<ThreadRow>
  /** The thread of that name, if there is one. */
  find(name: string): Promise<ThreadRow | undefined>
  /** The thread as it stands. */
  look(thread: number): Promise<ThreadRow>
  write(write: Write): Promise<Written>
  /** Makes a lease longer. False if the epoch is no longer the thread's. */
  renew(thread: number, epoch: number, leaseMs: number): Promise<boolean>
  /** The entries behind a position, in order: at most `limit` (1,000 by default), fewer if they are large, none only at the end. */
  read(thread: number, after: number, limit?: number): Promise<Entry[]>
  /** Threads that have something to do and no owner, the longest waiting first. The one query that spans threads, beside `list`. */
  due(limit: number): Promise<ThreadRow[]>
  /** All threads in the order of their keys, behind one of them. */
  list(after: number, limit: number): Promise<ThreadRow[]>
  /** Milliseconds, by the clock that leases go by. */
  now(): Promise<number>
  close(): Promise<void>
}

export interface ThreadRow {
  /** The integer key. */
  readonly thread: number
  readonly name: string
  /** Made at random when the thread was: call ids begin with it, so that they differ between threads. */
  readonly uid: string
  /** The sequence number of the last entry; 0 if there is none. */
  readonly head: number
  readonly epoch: number
  /** Who has the lease, and until when; it may have ended. */
  readonly owner?: string
  readonly leasedUntil: number
  readonly state: ThreadStatus
  /** When there is something to do, if ever. */
  readonly dueAt?: number
  readonly openCalls: number
  readonly createdAt: number
  /** When it was last written to, or its lease was made longer. */
  readonly updatedAt: number
}

/** `kept`: it has no turns. Whoever keeps entries of its own in it is the only one who reads and writes them. */
export type ThreadStatus = 'idle' | 'running' | 'parked' | 'kept'

/** One transition. What it does to calls is read off its entries (`effectsOf`). */
export interface Write {
  readonly thread: number
  readonly entries: readonly Happening[]
  /** Only if this is the last sequence number. A write that starts or settles calls has one. */
  readonly head?: number
  /** Only if this is the epoch: the owner's own writes have one. */
  readonly epoch?: number
  /** Takes the lease, only if nobody has it. The epoch rises by one, also for the entries of this write. */
  readonly lease?: { readonly owner: string; readonly ms: number }
  /** Gives the lease back. */
  readonly release?: true
  /** The input that is submitted, once for its key. Its entry is the last one. */
  readonly input?: { readonly key: string; readonly digest: string }
  /** Only if the thread's state is this one. */
  readonly onlyIf?: ThreadStatus
  readonly state?: ThreadStatus
  /**
   * When there is something to do; null: nothing. Unchanged if absent. `now` is the store's own clock, but a time that has
   * passed already stays, so that a thread that waits keeps its place; a write that gives the lease back sets it anew.
   */
  readonly dueAt?: number | 'now' | null
}

export type Written =
  | { readonly ok: true; readonly head: number; readonly epoch: number; readonly at: number }
  | { readonly ok: false; readonly why: Why; readonly row: ThreadRow; readonly known?: KnownInput }

/**
 * Why nothing was written. `known`: the input has been submitted before. `fenced`: the epoch is not the thread's.
 * `moved`: the head is not the thread's. `leased`: somebody has the lease. `busy`: the thread is not in that state.
 * `open`: somebody would speak while a call is open. `settled`: a call is not open. `started`: a call is started already.
 * Where several apply, the first of them in this order is said.
 */
export type Why = 'known' | 'fenced' | 'moved' | 'leased' | 'busy' | 'open' | 'settled' | 'started'

export interface KnownInput {
  readonly digest: string
  readonly seq: number
}
