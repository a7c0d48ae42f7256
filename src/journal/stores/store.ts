import type { CallPlace, Entry, EntryData } from '../entry.ts'
import type { StoredMetadata } from '../metadata/stored-metadata.ts'

/**
 * The storage of a journal. A store knows threads, entries, leases and open calls, and nothing of turns or formats. It checks
 * every write inside the transaction of that write.
 *
 * - One transaction per write: all its entries, or none.
 * - A write that was acknowledged survives a crash, to the degree of the chosen durability.
 * - Sequence numbers start with 1 and have no gaps; epochs never decrease.
 */
export interface Store {
  readonly name: 'memory' | 'sqlite' | 'postgres' | 'durable-object'
  /** Whether it stores the ciphertext of a sealed entry as bytes. Every other store is given base64, so that an entry is plain JSON. */
  readonly takesBytes?: boolean
  /** The thread with this name, which is created if it does not exist. Throws if it was erased. */
  open(name: string): Promise<ThreadRow>
  /** The thread with this name, if it exists. An erased one is found by its old name. */
  find(name: string): Promise<ThreadRow | undefined>
  /** The thread with this key, also if it is erased. All other operations on an erased thread throw `thread-erased`. */
  get(thread: number): Promise<ThreadRow>
  write(write: Write): Promise<WriteResult>
  /** Extends a lease. Returns false if the thread has another epoch. */
  renew(thread: number, epoch: number, leaseMs: number): Promise<boolean>
  /** The entries after a position, in order: at most `limit` (1,000 by default), fewer if they are large, none only at the end. */
  read(thread: number, after: number, limit?: number): Promise<Entry[]>
  /** Threads that have something to do and no owner, the longest waiting first. Only this and `list` span threads. */
  due(limit: number): Promise<ThreadRow[]>
  /**
   * Threads in the order of their keys, after one of them; the newest first if that is the order. Erased ones only while something of them is
   * left.
   */
  list(after: number, limit: number, order?: ThreadOrder): Promise<ThreadRow[]>
  /** The calls that wait or waited for an agent, in order: of any thread of which something is left, also while it is being erased. */
  agentCalls(thread: number): Promise<CallPlace[]>
  /**
   * Stores metadata instead of what the thread has, as a change of the thread. Compare-and-swap: returns false if its revision is not the next
   * one.
   */
  describe(thread: number, metadata: StoredMetadata): Promise<boolean>
  /**
   * One step of erasing a thread, in one bounded transaction. The first fences the thread: no owner can write any more, and nothing can be read.
   * The next remove its entries, inputs and calls, the last ones first, and the last step replaces its name. Each can be repeated, by anyone.
   */
  erase(thread: number, options?: EraseOptions): Promise<Erasure>
  /** Encrypts texts that leave the process without being stored, if the thread is sealed. A store that never seals has no such method. */
  sealer?(thread: number): Promise<TextSealer | undefined>
  /** Milliseconds, by the clock that leases use. */
  now(): Promise<number>
  close(): Promise<void>
}

/** Encrypts and decrypts with the key of a thread. `open` throws if the text is not from it. */
export interface TextSealer {
  seal(text: string): string
  open(sealed: string): string
}

export type ThreadOrder = 'oldest' | 'newest'

export interface ThreadRow {
  /** The integer key. */
  readonly thread: number
  readonly name: string
  /** A random id of the thread. Call ids begin with it, so that they are unique across threads. */
  readonly uid: string
  /** The sequence number of the last entry; 0 if there is none. */
  readonly head: number
  readonly epoch: number
  /** The owner of the lease, and when it ends. It may have ended. */
  readonly owner?: string
  readonly leasedUntil: number
  readonly state: StoredThreadState
  /** When there is something to do, if known. */
  readonly dueAt?: number
  readonly openCalls: number
  readonly createdAt: number
  /** When it was last written or described, or its lease extended. */
  readonly updatedAt: number
  /** If it was ever set. A row of `due` or of a refused write may lack it, or have it sealed. */
  readonly metadata?: StoredMetadata
}

/**
 * `kept`: the thread has no turns. An adapter keeps its own entries in it, and only that adapter reads and writes them.
 * `erased`: a tombstone. As long as something of the thread is left, it is due at the time at which the erasure is continued.
 */
export type StoredThreadState = 'idle' | 'running' | 'parked' | 'kept' | 'erased'

export interface EraseOptions {
  /** Erase only if the thread was not written since this time, and its lease was not extended. */
  readonly idleSince?: number
  /** The entries to remove at most; 500 by default, and fewer if they are large. With 0 the thread is only fenced. */
  readonly limit?: number
}

/** `active`: the thread is not idle enough, and nothing was changed. `partly`: there is more to remove. `erased`: only the tombstone is left. */
export type Erasure = 'active' | 'partly' | 'erased'

/** One transaction. What it does to calls is derived from its entries (`effectsOf`). */
export interface Write {
  readonly thread: number
  readonly entries: readonly EntryData[]
  /** Compare-and-swap: write only if this is the last sequence number. Required to start or settle calls. */
  readonly head?: number
  /** Fencing token: write only if this is the epoch. All writes of an owner have one. */
  readonly epoch?: number
  /** Take the lease; only if it is free. Increments the epoch, also for the entries of this write. */
  readonly lease?: { readonly owner: string; readonly ms: number }
  /** Release the lease. */
  readonly release?: true
  /** The submitted input, stored once per key. Its entry is the last one. */
  readonly input?: { readonly key: string; readonly digest: string }
  /** Write only if this is the state of the thread. */
  readonly onlyIf?: StoredThreadState
  readonly state?: StoredThreadState
  /**
   * When there is something to do; null for never. Unchanged if absent. `now` is the store's clock, but a time in the past is
   * kept, so that a waiting thread keeps its place in the queue; a write that releases the lease sets it to the current time.
   */
  readonly dueAt?: number | 'now' | null
}

export type WriteResult =
  | { readonly ok: true; readonly head: number; readonly epoch: number; readonly at: number }
  | { readonly ok: false; readonly why: RefusalReason; readonly row: ThreadRow; readonly known?: KnownInput }

/**
 * Why the store refused a write. `known`: the input was submitted before. `fenced`: the thread has another epoch. `moved`: the
 * thread has another head. `leased`: the lease is taken. `busy`: the thread is not in the required state. `open`: the write
 * adds a message while a call is open. `settled`: a call is not open. `started`: a call is already started. If several apply,
 * the first in this order is returned.
 */
export type RefusalReason = 'known' | 'fenced' | 'moved' | 'leased' | 'busy' | 'open' | 'settled' | 'started'

export interface KnownInput {
  readonly digest: string
  readonly seq: number
}
