/**
 * Where the threads of graphs are kept: their leases, their checkpoints and the effects of their tools. Each method is one
 * transaction, and what it has acknowledged is there after a crash.
 *
 * - The epoch rises whenever the thread gets another owner; a write under an older one is refused.
 * - Parts are content: stored once, under their hash, and never changed.
 */
export interface GraphStore {
  /**
   * Takes the lease: the epoch from then on, or undefined if somebody else has it. With an epoch only if it is still the
   * thread's. Whoever has it already gets it again.
   */
  claim(thread: string, claim: Claim): Promise<number | undefined>
  /** Makes the lease longer. False if the epoch is no longer the thread's. */
  renew(thread: string, epoch: number, leaseMs: number): Promise<boolean>
  /** Gives the lease back; without an epoch, whoever has it. */
  release(thread: string, epoch?: number): Promise<void>
  write(thread: string, guard: Guard, change: Change): Promise<Answer>
  /** One checkpoint, the latest if none is named, with the writes that are pending on it. */
  find(thread: string, namespace: string, id?: string): Promise<Found | undefined>
  /** Checkpoints, the latest first; a page of those behind `after`. */
  list(query: Query): Promise<readonly Found[]>
  parts(thread: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  effect(thread: string, key: string): Promise<Effect | undefined>
  /** Says that a tool runs, if nothing else was said since `before` was read. */
  startEffect(thread: string, guard: Guard, start: EffectStart): Promise<Answer | 'taken'>
  /** What came of a tool, if it runs, or if that was not known. */
  settleEffect(thread: string, key: string, effect: Effect): Promise<void>
  remove(thread: string): Promise<void>
  close(): Promise<void>
}

export interface Claim {
  readonly owner: string
  readonly leaseMs: number
  readonly epoch?: number
}

/**
 * Under which epoch a write is done, and how long the lease lasts from then on: 0 gives it back. Without an epoch it is
 * nobody's, and is only done while nobody has the lease.
 */
export interface Guard {
  readonly epoch?: number
  readonly leaseMs: number
}

/** `fenced`: the thread has another owner. `leased`: it has one, and the write is nobody's. */
export type Answer = 'done' | 'fenced' | 'leased'

export interface Change {
  readonly parts: ReadonlyMap<string, Uint8Array>
  readonly checkpoint?: CheckpointRow
  readonly writes?: readonly WriteRow[]
}

export interface CheckpointRow {
  readonly namespace: string
  readonly id: string
  readonly parent?: string
  /** JSON: the checkpoint, with references to parts in the place of its values. */
  readonly body: string
  /** JSON: a reference. */
  readonly metadata: string
}

export interface WriteRow {
  readonly namespace: string
  readonly checkpoint: string
  readonly task: string
  /** Below 0 for channels of LangGraph's own, which are written again; the others are written once. */
  readonly index: number
  readonly channel: string
  /** JSON: a reference. */
  readonly value: string
}

export interface Found extends CheckpointRow {
  readonly thread: string
  /** In the order in which they were first written, over all threads. */
  readonly seq: number
  readonly writes: readonly Pick<WriteRow, 'task' | 'channel' | 'value'>[]
}

export interface Query {
  readonly thread?: string
  readonly namespace?: string
  readonly id?: string
  /** Only those before the checkpoint of that id. */
  readonly before?: string
  readonly after?: number
  readonly limit: number
}

/**
 * What is known of a tool that was run. `parked`: it waits for a person, and runs again. `failed`: it threw. `unknown`: it
 * was started, and nobody is there any more to say what came of it.
 */
export interface Effect {
  readonly state: 'started' | 'done' | 'failed' | 'parked' | 'unknown'
  /** JSON. */
  readonly outcome?: string
  /** Which run started it. */
  readonly owner?: string
}

export interface EffectStart {
  readonly key: string
  readonly owner: string
  readonly before: Effect | undefined
}
