import { setTimeout as sleep } from 'node:timers/promises'
import { AntiphonError } from '../../core/errors.ts'
import { warn } from '../../heal/warn.ts'
import { randomUid } from '../../journal/stores/uid.ts'
import type { GraphStore, WriteAnswer, WriteGuard } from './graph-store.ts'
import type { MessageMemory, Packed } from './pack.ts'
import { RunLiveness } from './run-liveness.ts'
import { checkpointsOf, isInTask, type Runtime, runKeys } from './run-signs.ts'

/** One run of a graph. LangGraph makes an object for each run, which identifies it. */
export interface GraphRun {
  readonly owner: string
  readonly leases: Map<string, ThreadLease>
  readonly liveness: RunLiveness
  /** The checkpoints that it has made, whether they are stored or not yet. */
  readonly made: Set<string>
  /** How many models and tools are in progress. */
  busy: number
  /** How many of its writes are in progress. */
  writing: number
  /** The checkpoint at which the run announced its end, by an error or an interrupt. */
  endsAt: string | undefined
  /** When its leases were extended, by the clock of the process. */
  renewedAt: number
  /** Why nothing of it can be stored any more. */
  failure: unknown
  /** Resolved when its last write is done. */
  lastWrite: Promise<void>
  /** Whether another run has changed the thread while this one waited for it. */
  isLate: boolean
}

/** The state of a thread that a run writes to. */
export interface ThreadLease {
  epoch: number
  isHeld: boolean
  /** The checkpoint of the graph itself that was read or stored last. */
  latest: string | undefined
  /** All checkpoints that were read or stored, including those of subgraphs. */
  readonly checkpoints: Set<string>
  /** Parts that are stored. */
  readonly stored: Set<string>
  readonly memory: MessageMemory
  /** The values of channels by namespace and name, with their versions. */
  readonly channels: Map<string, { readonly version: unknown; readonly value: Packed }>
}

export interface GraphLeaseOptions {
  readonly leaseMs: number
  readonly waitMs: number
}

/**
 * Leases of threads. A run takes the lease when it reads its initial state, keeps it while it lives, and releases it when it
 * ends; other runs wait. The epoch (a fencing token) keeps out a run that has lost its lease; the lease only decides which
 * run waits, so it may be released too early, and taken again as long as no other run had it.
 */
export class Leases {
  readonly #store: GraphStore
  readonly #options: GraphLeaseOptions
  readonly #runs = new WeakMap<object, GraphRun>()
  /** All runs that LangGraph still has, the oldest first. */
  readonly #begun = new Set<WeakRef<GraphRun>>()
  readonly #collected = new FinalizationRegistry<WeakRef<GraphRun>>(begun => this.#begun.delete(begun))
  /** The runs that have a lease. */
  readonly #live = new Set<GraphRun>()
  #watch: NodeJS.Timeout | undefined
  #hasWarned = false

  constructor(store: GraphStore, options: GraphLeaseOptions) {
    this.#store = store
    this.#options = options
  }

  /** Begins a run on a thread. Waits for another run that has it. */
  async begin(runtime: Runtime, thread: string, signal: AbortSignal | undefined): Promise<ThreadLease> {
    const run: GraphRun = {
      owner: randomUid(),
      leases: new Map(),
      liveness: new RunLiveness(signal, () => this.#end(run)),
      made: new Set(),
      busy: 0,
      writing: 0,
      endsAt: undefined,
      renewedAt: 0,
      failure: undefined,
      lastWrite: Promise.resolve(),
      isLate: false,
    }
    let before: string | undefined
    const lease = await this.#take(run, thread, signal, async () => {
      before = await this.#positionOf(thread)
    })
    run.isLate = before !== undefined && before !== (await this.#positionOf(thread))
    for (const key of runKeys(runtime)) this.#runs.set(key, run)
    const begun = new WeakRef(run)
    this.#begun.add(begun)
    this.#collected.register(run, begun)
    return lease
  }

  runOf(runtime: Runtime): GraphRun | undefined {
    const known = runKeys(runtime).find(key => this.#runs.has(key))
    if (known) return this.#runs.get(known)
    // A graph that a tool invokes in the first step of a run does not know the signal of that run, but the checkpoint that the step began with.
    const run = isInTask(runtime) ? this.#runAt(checkpointsOf(runtime)) : undefined
    if (run && runtime.writer instanceof Object) this.#runs.set(runtime.writer, run)
    return run
  }

  /** The last run that has one of these checkpoints: one before it may have ended with the same one. */
  #runAt(ids: readonly string[]): GraphRun | undefined {
    let last: GraphRun | undefined
    for (const known of this.#begun) {
      const run = known.deref()
      if (run && ids.some(id => hasCheckpoint(run, id))) last = run
    }
    return last
  }

  /** The run's state of a thread. Takes the lease if it was released, or was never needed before. */
  async leaseOf(run: GraphRun, thread: string): Promise<ThreadLease> {
    checkAlive(run)
    const lease = run.leases.get(thread)
    if (!lease) return this.#take(run, thread, undefined)
    if (lease.isHeld) return lease
    const { owner } = run
    const epoch = await this.#store.claim(thread, { owner, leaseMs: this.#options.leaseMs, epoch: lease.epoch })
    if (epoch === undefined) {
      run.failure = fenced(thread)
      throw run.failure
    }
    lease.epoch = epoch
    lease.isHeld = true
    this.#monitor(run)
    return lease
  }

  /**
   * Does a write guarded by the lease of a run, or while the thread is not leased. The lease is released with the last write,
   * unless a model or a tool is still in progress. Writes of one run follow each other, so that the last one counts.
   */
  async write<T extends string>(
    run: GraphRun | undefined,
    thread: string,
    write: (guard: WriteGuard) => Promise<T | WriteAnswer>,
    isLast: () => boolean = () => false,
  ): Promise<T | 'done'> {
    if (!run) return this.#writeWithoutRun(thread, write)
    run.writing++
    const writing = run.lastWrite.then(() => this.#write(run, thread, write, isLast)).finally(() => run.writing--)
    run.lastWrite = writing.then(
      () => {},
      () => {},
    )
    return writing
  }

  async #write<T extends string>(
    run: GraphRun,
    thread: string,
    write: (guard: WriteGuard) => Promise<T | WriteAnswer>,
    isLast: () => boolean,
  ): Promise<T | 'done'> {
    const lease = await this.leaseOf(run, thread)
    const releases = isLast() && run.busy === 0
    const answer = await write({ epoch: lease.epoch, leaseMs: releases ? 0 : this.#options.leaseMs })
    if (answer === 'fenced' || answer === 'leased') {
      lease.isHeld = false
      run.failure = fenced(thread)
      throw run.failure
    }
    if (releases) lease.isHeld = false
    run.renewedAt = performance.now()
    return answer as T | 'done'
  }

  /** A checkpoint of the graph itself is stored. Its pending writes may have been stored before, and been the last ones. */
  advance(run: GraphRun, lease: ThreadLease, id: string): void {
    lease.latest = id
    if (run.endsAt !== undefined && run.endsAt < id) run.endsAt = undefined
    if (isOver(run) && run.busy === 0) this.#end(run)
  }

  /** Ends a run that must not continue, before anything of it is done. */
  refuse(run: GraphRun, error: AntiphonError): never {
    run.failure = error
    this.#end(run)
    throw error
  }

  /** Keeps the leases of a run while the work is in progress. */
  async during<T>(run: GraphRun | undefined, work: () => Promise<T>): Promise<T> {
    if (!run) return work()
    checkAlive(run)
    run.busy++
    try {
      return await work()
    } finally {
      run.busy--
      // Work that ran in parallel with a failed one is not awaited, and its end is not reported.
      if (run.busy === 0 && isOver(run)) this.#end(run)
    }
  }

  /** Releases the leases of runs without a model or a tool in progress, before the store is closed: nothing of them can be stored any more. */
  close(): void {
    for (const run of this.#live) if (run.busy === 0) this.#end(run)
  }

  /** Releases the leases of a run that is no longer active. Not awaited: at worst the lease expires. */
  #end(run: GraphRun): void {
    for (const [thread, lease] of run.leases) {
      if (!lease.isHeld) continue
      lease.isHeld = false
      this.#store.release(thread, lease.epoch).catch(() => {})
    }
  }

  /** Monitors a run that has a lease. */
  #monitor(run: GraphRun): void {
    run.renewedAt = performance.now()
    this.#live.add(run)
    const intervalMs = Math.min(pollMsMax, this.#options.leaseMs / 3)
    this.#watch ??= setInterval(() => this.#poll(), intervalMs).unref()
  }

  #poll(): void {
    for (const run of this.#live) {
      const isBusy = run.busy > 0 || run.writing > 0
      const state = run.liveness.poll(isBusy)
      if (state === 'gone') this.#end(run)
      if (isBusy || state === 'alive') this.#renew(run)
      if (![...run.leases.values()].some(({ isHeld }) => isHeld)) this.#live.delete(run)
    }
    if (this.#live.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #renew(run: GraphRun): void {
    const { leaseMs } = this.#options
    if (performance.now() - run.renewedAt < leaseMs / 3) return
    run.renewedAt = performance.now()
    for (const [thread, lease] of run.leases) {
      if (!lease.isHeld) continue
      const renewing = this.#store.renew(thread, lease.epoch, leaseMs)
      renewing.then(
        isMine => {
          if (isMine) return
          lease.isHeld = false
          run.failure ??= fenced(thread)
        },
        () => {},
      )
    }
  }

  /** Changes with every step and every answer, of the graph and of its subgraphs. */
  async #positionOf(thread: string): Promise<string> {
    const latest = this.#store.list({ thread, limit: 1 })
    return JSON.stringify(await Promise.all([this.#store.find(thread, ''), latest]))
  }

  async #take(
    run: GraphRun,
    thread: string,
    signal: AbortSignal | undefined,
    onWait?: () => Promise<void>,
  ): Promise<ThreadLease> {
    const { owner } = run
    const { leaseMs } = this.#options
    const claim = () => this.#store.claim(thread, { owner, leaseMs })
    const epoch = await this.#retryUntilDone(thread, signal, claim, onWait)
    const lease: ThreadLease = run.leases.get(thread) ?? {
      epoch,
      isHeld: true,
      latest: undefined,
      checkpoints: new Set(),
      stored: new Set(),
      memory: new WeakMap(),
      channels: new Map(),
    }
    run.leases.set(thread, lease)
    this.#monitor(run)
    return lease
  }

  async #writeWithoutRun<T extends string>(
    thread: string,
    write: (guard: WriteGuard) => Promise<T | WriteAnswer>,
  ): Promise<T | 'done'> {
    return this.#retryUntilDone(thread, undefined, async () => {
      const answer = await write({ leaseMs: 0 })
      return answer === 'leased' || answer === 'fenced' ? undefined : (answer as T | 'done')
    })
  }

  /** Retries until it succeeds, or the time is up. Calls `onWait` after the first attempt that fails. */
  async #retryUntilDone<T>(
    thread: string,
    signal: AbortSignal | undefined,
    attempt: () => Promise<T | undefined>,
    onWait?: () => Promise<void>,
  ): Promise<T> {
    const start = performance.now()
    const end = start + this.#options.waitMs
    for (let isFirst = true; ; isFirst = false) {
      signal?.throwIfAborted()
      const outcome = await attempt()
      if (outcome !== undefined) return outcome
      if (isFirst) await onWait?.()
      if (performance.now() >= end) throw busy(thread)
      if (performance.now() - start > warnAfterMs) this.#warnOnce(thread)
      // Random jitter, so that waiting runs do not retry at the same time.
      await sleep(retryMs * (0.5 + Math.random()), undefined, signal && { signal })
    }
  }

  /** A run that waits must not look like one that hangs. */
  #warnOnce(thread: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `a graph run is waiting for another run that owns the thread ${thread}. It continues when that run ends, or shows no \
sign of life for ${this.#options.leaseMs} ms (leaseMs). release(thread) ends the wait. This warning is shown once.`,
    )
  }
}

/** Whether a run has ended and everything of it is stored: a checkpoint may follow the writes that are pending on it. */
export const isOver = ({ endsAt, leases }: GraphRun): boolean =>
  endsAt !== undefined && [...leases.values()].some(({ latest }) => latest === endsAt)

const hasCheckpoint = ({ made, leases }: GraphRun, id: string): boolean =>
  made.has(id) || [...leases.values()].some(({ checkpoints }) => checkpoints.has(id))

function checkAlive({ failure }: GraphRun): void {
  if (failure !== undefined) throw failure
}

const retryMs = 40
const pollMsMax = 50
const warnAfterMs = 2_000

const busy = (thread: string): AntiphonError =>
  new AntiphonError('thread-busy', `another run of the graph owns the thread ${thread}`, {
    hint: 'wait for it to end, or set a longer waitMs',
    thread,
  })

const fenced = (thread: string): AntiphonError =>
  new AntiphonError('fenced', `another run of the graph has taken over the thread ${thread}`, {
    hint: 'nothing of this write was stored; invoke the graph again: it continues from what the other run has stored',
    thread,
  })
