import { assertAmounts } from '../core/assert-options.ts'
import { describeWithHint } from '../core/describe-error.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import { emitWarning } from '../heal/warn.ts'
import { dropAgent } from './agents/drop-agent.ts'
import { runnableOf } from './agents/runnable.ts'
import type { CallHandle } from './call.ts'
import { type Clock, nextRound, sleep } from './clock.ts'
import { eraseThread } from './erasure/erase-thread.ts'
import type { LiveHub } from './live/live-hub.ts'
import { assertTarget } from './render/render.ts'
import { assertRunOptions, emitEntries, type RunOptions, runTurn } from './run.ts'
import type { RunEvent } from './run-event.ts'
import { rendezvousWeight } from './stores/shards/rendezvous.ts'
import type { Store, ThreadRow } from './stores/store.ts'
import type { Thread } from './thread.ts'
import type { ThreadOptions } from './thread-options.ts'
import { canReplay, findTool, type Tools } from './tool.ts'
import { isErased } from './turn-errors.ts'

export interface WorkOptions extends Omit<RunOptions, 'onEvent' | 'signal' | 'waitMs'> {
  /** The options to open threads with. A journal does not store their provider, so `for` is required. */
  readonly thread: ThreadOptions & { readonly for: DialectId }
  /** The number of threads to run at a time; 8 by default. */
  readonly threads?: number
  /** How long to pause when there is nothing to do: 500 by default, and 10,000 while a transport (`live`) is connected, which wakes the worker. */
  readonly pollMs?: number
  readonly onEvent?: (thread: string, event: RunEvent) => void
  /** Called when a turn fails, which is also recorded. By default, and if this throws, a process warning is emitted. */
  readonly onError?: (thread: string, error: unknown) => void
}

interface Backoff {
  readonly since: number
  readonly ms: number
}

interface WorkerContext {
  readonly store: Store
  readonly clock: Clock
  readonly owner: string
  readonly live?: Pick<LiveHub, 'isConnected' | 'onDue'>
  thread(name: string, options: ThreadOptions): Thread
}

/**
 * Runs the threads that have something to do, the longest waiting first, a bounded number at a time. It runs one turn of a
 * thread, and then others get a chance. Several workers, on several machines, share the work through the leases of the threads.
 */
export class Worker {
  readonly #context: WorkerContext
  readonly #options: WorkOptions
  readonly #running = new Map<string, Promise<void>>()
  /** Threads that were due but had nothing to do, or failed. They are skipped for a while, with exponential backoff. */
  readonly #backoffs = new Map<string, Backoff>()
  /**
   * Threads that were due and were not taken, while many others back off, and when they were read. Those that back off are due too: to read all of
   * them again for every turn would take quadratic time.
   */
  #spare: { readonly rows: readonly ThreadRow[]; readonly at: number } = { rows: [], at: 0 }
  readonly #stopping = new AbortController()
  /** Aborted when there may be something to do, or the worker stops. */
  #wake = new AbortController()
  /** Aborted when `#dueTimes` gets a new time, so that the pause is computed again. */
  #retime = new AbortController()
  /** Times at which a thread will be due, from messages of the live transport, rounded up. */
  readonly #dueTimes = new Set<number>()
  /** Resolves when the worker has stopped and has released all its threads. */
  readonly done: Promise<void>

  constructor(context: WorkerContext, options: WorkOptions) {
    if (!options.thread?.for)
      throw new AntiphonError('missing-dialect', 'thread.for is missing: a worker needs the provider of its threads', {
        hint: "pass the options that the threads are opened with, such as thread: { for: 'anthropic' }",
      })
    assertTarget(options.thread)
    assertRunOptions(options)
    const { threads = 1, pollMs } = options
    if (!(Number.isSafeInteger(threads) && threads > 0))
      throw new AntiphonError('wrong-number', `threads must be a positive integer, got ${threads}`, {
        hint: 'leave it out for the default, 8',
      })
    assertAmounts({ pollMs })
    this.#context = context
    this.#options = options
    this.done = this.#loop()
  }

  /** Takes no more threads, hands over the current ones at their next step, and waits until all are released. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    await this.done
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #loop(): Promise<void> {
    const { threads = 8 } = this.#options
    const { signal } = this.#stopping
    const { live } = this.#context
    let rounds = 0
    const stopListening = live?.onDue(at => this.#wakeAt(at))
    while (!signal.aborted) {
      // Created before the store is asked, so that a turn that ends meanwhile wakes the loop.
      this.#wake = new AbortController()
      const free = threads - this.#running.size
      const fresh = free > 0 ? await this.#due(free) : []
      for (const row of fresh) this.#take(row)
      // A store may answer without a pause. Then timers and other turns would starve while there is something to do.
      if (++rounds % roundsMax === 0) await nextRound()
      if (fresh.length === 0 && !signal.aborted) await this.#pause()
    }
    stopListening?.()
    await Promise.all(this.#running.values())
  }

  /** Until there may be something to do. */
  async #pause(): Promise<void> {
    const { clock, live } = this.#context
    const now = clock.now()
    const isBackingOff = [...this.#backoffs.values()].some(({ since, ms }) => Math.abs(now - since) < ms)
    const isTold = live?.isConnected === true && this.#options.pollMs === undefined && !isBackingOff
    const until = now + (isTold ? safetyMs : this.#pollMs)
    const wake = this.#wake.signal
    for (const at of this.#dueTimes) if (at <= now) this.#dueTimes.delete(at)
    do {
      this.#retime = new AbortController()
      const pauseMs = Math.min(until, ...this.#dueTimes) - clock.now()
      await sleep(clock, Math.max(0, pauseMs), AbortSignal.any([wake, this.#retime.signal]))
    } while (this.#retime.signal.aborted && !wake.aborted)
  }

  #wakeAt(at = 0): void {
    if (at <= this.#context.clock.now()) this.#wake.abort()
    else if (this.#dueTimes.size < dueTimesMax) {
      this.#dueTimes.add(Math.ceil(at / roundMs) * roundMs)
      this.#retime.abort()
    }
  }

  async #due(free: number): Promise<ThreadRow[]> {
    const { store, clock } = this.#context
    const now = clock.now()
    // Kept long after they end, so that a thread that fails again backs off longer.
    for (const [name, { since }] of this.#backoffs)
      if (Math.abs(now - since) >= 2 * backoffMax) this.#backoffs.delete(name)
    const isBackingOff = (name: string): boolean => {
      const backoff = this.#backoffs.get(name)
      return backoff !== undefined && Math.abs(now - backoff.since) < backoff.ms
    }
    const isIdle = ({ name }: ThreadRow): boolean => !this.#running.has(name) && !isBackingOff(name)
    const isCrowded = this.#backoffs.size >= crowd
    const isSpareFresh = isCrowded && Math.abs(now - this.#spare.at) < this.#pollMs
    try {
      // More than are free, since threads that run here or back off are still due.
      const wanted = overfetch * free + this.#running.size + (isCrowded ? 2 : 1) * this.#backoffs.size
      let { at } = this.#spare
      let found = takeFirst(isSpareFresh ? this.#spare.rows : [], isIdle, overfetch * free)
      if (found.idle.length === 0) {
        found = takeFirst(await store.due(wanted), isIdle, overfetch * free)
        at = now
      }
      const chosen = this.#choose([...found.idle], free)
      const others = found.idle.filter(row => !chosen.includes(row))
      this.#spare = { rows: isCrowded ? [...others, ...found.rest] : [], at }
      return chosen
    } catch (error) {
      this.#report('', error)
      return []
    }
  }

  /** The longest waiting thread, and others by rendezvous hashing, so that each worker prefers different threads. */
  #choose([first, ...rest]: readonly ThreadRow[], count: number): ThreadRow[] {
    if (first === undefined || count === 1) return first ? [first] : []
    const weights = new Map(rest.map(row => [row, rendezvousWeight(this.#context.owner, row.name)]))
    const byWeight = rest.sort((one, other) => ((weights.get(one) ?? '') < (weights.get(other) ?? '') ? -1 : 1))
    return [first, ...byWeight.slice(0, count - 1)]
  }

  #take(row: ThreadRow): void {
    const { name } = row
    const work = this.#work(row)
      .catch(error => {
        this.#backOff(name, 2)
        this.#report(name, error)
      })
      .finally(() => {
        this.#running.delete(name)
        // The thread may have more to do, and there is room for another thread.
        this.#wake.abort()
      })
    this.#running.set(name, work)
  }

  async #work({ name, state, thread: key }: ThreadRow): Promise<void> {
    const { store, thread: open } = this.#context
    if (state === 'erased') {
      await eraseThread(store, key)
      return
    }
    const { onEvent: _, thread: threadOptions, ...options } = this.#options
    const find = runnableOf(name, name => open(name, threadOptions), options)
    const { thread, call, ...found } = await find.catch(async error => {
      // The thread of an agent is erased with its parent.
      if (isErased(error)) await eraseThread(store, key)
      throw error
    })
    if (call && !call.isOpen) return dropAgent(thread)
    const { tools = {} } = found.options
    const isSafe = canReplay(tools)
    // The row may be older than an approval.
    assertToolsForApproved(await thread.callsToRun(isSafe), tools)
    const emit = (event: RunEvent): void => this.#emit(name, event)
    const unsubscribe = emitEntries(thread, emit)
    const watch = call?.watch()
    try {
      const turn = await thread.turn({ isSafe })
      if (turn) {
        const stop = watch ? { signal: watch.settled } : {}
        await runTurn(thread, turn, { ...found.options, ...stop }, emit, this.#stopping.signal)
        this.#backoffs.delete(name)
      } else this.#backOff(name, 1)
      if (call && (await thread.agents.deliver(thread.settings.outputBytesMax))) return
      if (!turn) await thread.reschedule()
    } catch (error) {
      // A failure of an agent is also the result of its call.
      if (call) await thread.agents.deliver(thread.settings.outputBytesMax)
      throw error
    } finally {
      watch?.stop()
      unsubscribe()
    }
  }

  /** Each backoff is `factor` times as long as the previous one. */
  #backOff(name: string, factor: number): void {
    const before = this.#backoffs.get(name)?.ms ?? this.#pollMs / factor
    this.#backoffs.set(name, { since: this.#context.clock.now(), ms: Math.min(before * factor, backoffMax) })
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? 500
  }

  /** A listener that throws does not stop the turn. */
  #emit(name: string, event: RunEvent): void {
    try {
      this.#options.onEvent?.(name, event)
    } catch (error) {
      this.#report(name, error)
    }
  }

  #report(name: string, error: unknown): void {
    const { onError = warn } = this.#options
    // It may be asynchronous and reject later.
    void (async () => onError(name, error))().catch(failure => {
      warn(name, error)
      warn(name, failure)
    })
  }
}

/**
 * A worker asks for this many times as many threads as it takes. All workers get the same longest waiting threads: if each
 * took the first ones, all but one would find them taken.
 */
const overfetch = 8

/** How many threads must back off before due threads are read less often. */
const crowd = 64

/** The first threads that are idle, and those after the last one of them. */
function takeFirst(
  rows: readonly ThreadRow[],
  isIdle: (row: ThreadRow) => boolean,
  count: number,
): { idle: readonly ThreadRow[]; rest: readonly ThreadRow[] } {
  const idle: ThreadRow[] = []
  let seen = 0
  for (; seen < rows.length && idle.length < count; seen++) {
    const row = rows[seen]
    if (row && isIdle(row)) idle.push(row)
  }
  return { idle, rest: rows.slice(seen) }
}

/** How often to poll while a live transport is connected, in case a message was lost. */
const safetyMs = 10_000

/** Due times are rounded up to a multiple of this, so that leases that end at about the same time wake the worker once. */
const roundMs = 500
const dueTimesMax = 1_000

const backoffMax = 60_000
const roundsMax = 16

const warn = (name: string, error: unknown): void =>
  emitWarning(`${name === '' ? 'a worker' : `thread ${name}`}: ${describeWithHint(error)}`, { code: 'ANTIPHON_WORKER' })

/** An approved call must run. A worker without its tool leaves the thread to one that has it. */
function assertToolsForApproved(calls: readonly CallHandle[], tools: Tools): void {
  const missing = calls.find(({ isApproved, name }) => isApproved && !findTool(tools, name))
  if (!missing) return
  throw new AntiphonError(
    'missing-tool',
    `an approved call needs the tool ${missing.name}, which this worker does not have`,
    {
      hint: 'start a worker that has the tool, or settle the call',
      call: missing.id,
    },
  )
}
