import { setTimeout as sleep } from 'node:timers/promises'
import { AntiphonError } from '../../core/errors.ts'
import { warn } from '../../heal/warn.ts'
import { randomUid } from '../../journal/uid.ts'
import type { Answer, GraphStore, Guard } from './graph-store.ts'
import type { MessageMemory, Packed } from './pack.ts'
import { RunLiveness } from './run-liveness.ts'

/** One run of a graph, as long as it lasts. LangGraph makes an object for each, which is what it is known by. */
export interface Run {
  readonly owner: string
  readonly leases: Map<string, Lease>
  readonly liveness: RunLiveness
  /** How many models and tools are under way. */
  busy: number
  /** How many of its writes are under way. */
  writing: number
  /** The checkpoint at which it was heard that it ends, with an error or with a question to a person. */
  endsAt: string | undefined
  /** When its leases were made longer, by the clock of the process. */
  renewedAt: number
  /** Why nothing of it can be stored any more. */
  failure: unknown
  /** When its last write is done. */
  line: Promise<void>
}

/** What a run knows of a thread that it writes to. */
export interface Lease {
  epoch: number
  isHeld: boolean
  /** The checkpoint of the graph itself that was read or stored last. */
  latest: string | undefined
  /** All checkpoints that were read or stored, also those of graphs within it. */
  readonly checkpoints: Set<string>
  /** Parts that are stored. */
  readonly stored: Set<string>
  readonly memory: MessageMemory
  /** The values of channels by namespace and name, with their versions. */
  readonly channels: Map<string, { readonly version: unknown; readonly value: Packed }>
}

export interface LeaseOptions {
  readonly leaseMs: number
  readonly waitMs: number
}

/**
 * Who may write to a thread. A run takes the lease when it reads the state that it starts from, keeps it as long as it
 * lives, and gives it back when it ends; whoever comes meanwhile waits. The epoch is what keeps a run out that has lost its lease; the lease is only about
 * who waits for whom, so it may be given back too early, and be taken again as long as nobody else had it.
 */
export class Leases {
  readonly #store: GraphStore
  readonly #options: LeaseOptions
  readonly #runs = new WeakMap<object, Run>()
  /** Those that have a lease. */
  readonly #live = new Set<Run>()
  #watch: NodeJS.Timeout | undefined
  #hasWarned = false

  constructor(store: GraphStore, options: LeaseOptions) {
    this.#store = store
    this.#options = options
  }

  /** A run begins with a thread. Waits for another one that has it. */
  async begin(keys: readonly object[], thread: string, signal: AbortSignal | undefined): Promise<Lease> {
    const run: Run = {
      owner: randomUid(),
      leases: new Map(),
      liveness: new RunLiveness(signal, () => this.#end(run)),
      busy: 0,
      writing: 0,
      endsAt: undefined,
      renewedAt: 0,
      failure: undefined,
      line: Promise.resolve(),
    }
    const lease = await this.#take(run, thread, signal)
    for (const key of keys) this.#runs.set(key, run)
    return lease
  }

  runOf(keys: readonly object[]): Run | undefined {
    const known = keys.find(key => this.#runs.has(key))
    return known && this.#runs.get(known)
  }

  /** What a run knows of a thread. The lease is taken if it is not there any more, or was never needed before. */
  async leaseOf(run: Run, thread: string): Promise<Lease> {
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
    this.#attend(run)
    return lease
  }

  /**
   * Does what is guarded by the lease of a run, or while nobody has it. The lease is given back with it if that was the last,
   * unless a model or a tool is still under way. Writes of one run follow each other, so that the last one counts.
   */
  async write<T extends string>(
    run: Run | undefined,
    thread: string,
    write: (guard: Guard) => Promise<T | Answer>,
    isLast: () => boolean = () => false,
  ): Promise<T | 'done'> {
    if (!run) return this.#writeAsNobody(thread, write)
    run.writing++
    const writing = run.line.then(() => this.#write(run, thread, write, isLast)).finally(() => run.writing--)
    run.line = writing.then(
      () => {},
      () => {},
    )
    return writing
  }

  async #write<T extends string>(
    run: Run,
    thread: string,
    write: (guard: Guard) => Promise<T | Answer>,
    isLast: () => boolean,
  ): Promise<T | 'done'> {
    const lease = await this.leaseOf(run, thread)
    const gives = isLast() && run.busy === 0
    const answer = await write({ epoch: lease.epoch, leaseMs: gives ? 0 : this.#options.leaseMs })
    if (answer === 'fenced' || answer === 'leased') {
      lease.isHeld = false
      run.failure = fenced(thread)
      throw run.failure
    }
    if (gives) lease.isHeld = false
    run.renewedAt = performance.now()
    return answer as T | 'done'
  }

  /** A checkpoint of the graph itself is stored. What was pending on it may have come before, and been the last word. */
  advance(run: Run, lease: Lease, id: string): void {
    lease.latest = id
    if (run.endsAt !== undefined && run.endsAt < id) run.endsAt = undefined
    if (isOver(run) && run.busy === 0) this.#end(run)
  }

  /** Keeps the leases of a run as long as the work goes on. */
  async during<T>(run: Run | undefined, work: () => Promise<T>): Promise<T> {
    if (!run) return work()
    checkAlive(run)
    run.busy++
    try {
      return await work()
    } finally {
      run.busy--
      // Those that ran beside one that has failed are not waited for, and nothing more is heard of them.
      if (run.busy === 0 && isOver(run)) this.#end(run)
    }
  }

  /** Gives back what a run has, if it is not under way any more. Not waited for: at worst the lease ends by itself. */
  #end(run: Run): void {
    for (const [thread, lease] of run.leases) {
      if (!lease.isHeld) continue
      lease.isHeld = false
      this.#store.release(thread, lease.epoch).catch(() => {})
    }
  }

  /** Looks after a run that has a lease. */
  #attend(run: Run): void {
    run.renewedAt = performance.now()
    this.#live.add(run)
    const lookMs = Math.min(lookMsMax, this.#options.leaseMs / 3)
    this.#watch ??= setInterval(() => this.#look(), lookMs).unref()
  }

  #look(): void {
    for (const run of this.#live) {
      const isBusy = run.busy > 0 || run.writing > 0
      const sign = run.liveness.poll(isBusy)
      if (sign === 'gone') this.#end(run)
      if (isBusy || sign === 'alive') this.#renew(run)
      if (![...run.leases.values()].some(({ isHeld }) => isHeld)) this.#live.delete(run)
    }
    if (this.#live.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #renew(run: Run): void {
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

  async #take(run: Run, thread: string, signal: AbortSignal | undefined): Promise<Lease> {
    const { owner } = run
    const { leaseMs } = this.#options
    const epoch = await this.#patiently(thread, signal, () => this.#store.claim(thread, { owner, leaseMs }))
    const lease: Lease = run.leases.get(thread) ?? {
      epoch,
      isHeld: true,
      latest: undefined,
      checkpoints: new Set(),
      stored: new Set(),
      memory: new WeakMap(),
      channels: new Map(),
    }
    run.leases.set(thread, lease)
    this.#attend(run)
    return lease
  }

  async #writeAsNobody<T extends string>(
    thread: string,
    write: (guard: Guard) => Promise<T | Answer>,
  ): Promise<T | 'done'> {
    return this.#patiently(thread, undefined, async () => {
      const answer = await write({ leaseMs: 0 })
      return answer === 'leased' || answer === 'fenced' ? undefined : (answer as T | 'done')
    })
  }

  /** Tries until it works, or the patience ends. */
  async #patiently<T>(
    thread: string,
    signal: AbortSignal | undefined,
    attempt: () => Promise<T | undefined>,
  ): Promise<T> {
    const start = performance.now()
    const end = start + this.#options.waitMs
    for (;;) {
      signal?.throwIfAborted()
      const outcome = await attempt()
      if (outcome !== undefined) return outcome
      if (performance.now() >= end) throw busy(thread)
      if (performance.now() - start > silenceMs) this.#warnOnce(thread)
      // At random, so that those who wait do not keep in step.
      await sleep(pollMs * (0.5 + Math.random()), undefined, signal && { signal })
    }
  }

  /** Waiting must not look like hanging. */
  #warnOnce(thread: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `a run of a graph waits for another one that has the thread ${thread}. It goes on when that one ends, or when nothing \
was heard of it for ${this.#options.leaseMs} ms (leaseMs). release(thread) ends the waiting. This is said once.`,
    )
  }
}

/** Whether a run has ended, and all that it has to say is stored: a checkpoint may come after what is pending on it. */
export const isOver = ({ endsAt, leases }: Run): boolean =>
  endsAt !== undefined && [...leases.values()].some(({ latest }) => latest === endsAt)

function checkAlive({ failure }: Run): void {
  if (failure !== undefined) throw failure
}

const pollMs = 40
const lookMsMax = 50
const silenceMs = 2_000

const busy = (thread: string): AntiphonError =>
  new AntiphonError('thread-busy', `another run of the graph has the thread ${thread}`, {
    hint: 'Wait for it to end, or allow more patience with waitMs.',
    thread,
  })

const fenced = (thread: string): AntiphonError =>
  new AntiphonError('fenced', `another run of the graph has taken over the thread ${thread}`, {
    hint: 'Nothing of this write was stored. Invoke the graph again: it goes on from what the other run has stored.',
    thread,
  })
