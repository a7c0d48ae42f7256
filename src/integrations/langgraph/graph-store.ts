/**
 * Stores the threads of graphs: their leases, their checkpoints and the effects of their tools. Each method is one
 * transaction, and what it has acknowledged survives a crash.
 *
 * - The epoch is a fencing token: it rises whenever the thread gets another owner, and a write with an older one is refused.
 *
 * - Parts are content-addressed: stored once, under their hash, and never changed.
 */
export interface GraphStore {
  /**
   * Takes the lease: returns the new epoch, or undefined if another run has it. With an epoch only if it is still the
   * thread's. The current owner gets it again.
   */
  claim(thread: string, claim: Claim): Promise<number | undefined>
  /** Extends the lease. False if the epoch is no longer the thread's. */
  renew(thread: string, epoch: number, leaseMs: number): Promise<boolean>
  /** Releases the lease; without an epoch, that of any owner. */
  release(thread: string, epoch?: number): Promise<void>
  write(thread: string, guard: WriteGuard, change: CheckpointChange): Promise<WriteAnswer>
  /** One checkpoint, the latest by default, with the writes that are pending on it. */
  find(thread: string, namespace: string, id?: string): Promise<StoredCheckpoint | undefined>
  /** Checkpoints, the latest first; a page of those after `after`. */
  list(query: CheckpointQuery): Promise<readonly StoredCheckpoint[]>
  parts(thread: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  effect(thread: string, key: string): Promise<Effect | undefined>
  /** Records that a tool runs, unless its state has changed since `before` was read. */
  startEffect(thread: string, guard: WriteGuard, start: EffectStart): Promise<WriteAnswer | 'taken'>
  /** Records the outcome of a tool that is running or whose outcome was unknown. */
  settleEffect(thread: string, key: string, effect: Effect): Promise<void>
  remove(thread: string): Promise<void>
  close(): Promise<void>
}

/** What is read of a store to show its threads. */
export interface GraphReader extends Pick<GraphStore, 'find' | 'parts' | 'close'> {
  /** All threads that have checkpoints, or the one with this name: the oldest first, each followed by its subgraphs. */
  threads(name?: string): Promise<readonly GraphThread[]>
}

/** A store that was there before, for reading and for erasing. */
export interface ExistingGraphs extends GraphReader, Pick<GraphStore, 'remove'> {}

/** A thread, or one of its subgraphs. */
export interface GraphThread {
  readonly thread: string
  /** Empty for the thread itself. */
  readonly namespace: string
  /** How many checkpoints it has. */
  readonly checkpoints: number
  /** The `seq` of the latest one. */
  readonly last: number
  /** Whether a run has the lease of the thread. */
  readonly isLeased: boolean
}

export interface Claim {
  readonly owner: string
  readonly leaseMs: number
  readonly epoch?: number
}

/**
 * The epoch of a write, and how long the lease lasts from then on: 0 releases it. A write without an epoch has no owner, and
 * is done only while the thread is not leased.
 */
export interface WriteGuard {
  readonly epoch?: number
  readonly leaseMs: number
}

/** `fenced`: the thread has another owner. `leased`: it has an owner, and the write has none. */
export type WriteAnswer = 'done' | 'fenced' | 'leased'

export interface CheckpointChange {
  readonly parts: ReadonlyMap<string, Uint8Array>
  readonly checkpoint?: CheckpointRow
  readonly writes?: readonly WriteRow[]
}

export interface CheckpointRow {
  readonly namespace: string
  readonly id: string
  readonly parent?: string
  /** JSON: the checkpoint, with references to parts instead of its values. */
  readonly body: string
  /** JSON: a reference. */
  readonly metadata: string
}

export interface WriteRow {
  readonly namespace: string
  readonly checkpoint: string
  readonly task: string
  /** Negative for LangGraph's own channels, which are overwritten; the others are written once. */
  readonly index: number
  readonly channel: string
  /** JSON: a reference. */
  readonly value: string
}

export interface StoredCheckpoint extends CheckpointRow {
  readonly thread: string
  /** In the order in which they were first written, over all threads. */
  readonly seq: number
  readonly writes: readonly Pick<WriteRow, 'task' | 'channel' | 'value'>[]
}

export interface CheckpointQuery {
  readonly thread?: string
  readonly namespace?: string
  readonly id?: string
  /** Only those before the checkpoint with this id. */
  readonly before?: string
  readonly after?: number
  readonly limit: number
}

/**
 * What is known of a tool that was run. `parked`: it waits for a person, and runs again. `failed`: it threw. `unknown`: it
 * was started, and its run ended without an outcome.
 */
export interface Effect {
  readonly state: 'started' | 'done' | 'failed' | 'parked' | 'unknown'
  /** JSON. */
  readonly outcome?: string
  /** The run that started it. */
  readonly owner?: string
}

export interface EffectStart {
  readonly key: string
  readonly owner: string
  readonly before: Effect | undefined
}
