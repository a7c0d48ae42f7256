import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import { hash } from '../core/ids.ts'
import type { CallHandle } from './call.ts'
import { type Clock, sleep } from './clock.ts'
import { wordsOf } from './outcome.ts'
import { type RunOptions, runTurn, tellEntries } from './run.ts'
import type { RunEvent } from './run-event.ts'
import type { Store, ThreadRow } from './stores/store.ts'
import type { Thread, ThreadOptions } from './thread.ts'
import { type Tools, toolNamed } from './tool.ts'

export interface WorkOptions extends Omit<RunOptions, 'onEvent' | 'signal' | 'waitMs'> {
  /** How the threads are read. A journal does not keep by whom, so that has to be said. */
  readonly thread: ThreadOptions & { readonly for: DialectId }
  /** How many threads at a time; 8 by default. */
  readonly threads?: number
  /** How long to pause when there is nothing to do; 500 by default. */
  readonly pollMs?: number
  readonly onEvent?: (thread: string, event: RunEvent) => void
  /** A turn that failed is recorded as such; this hears of it too. By default, and if this fails itself, a process warning. */
  readonly onError?: (thread: string, error: unknown) => void
}

interface Rest {
  readonly since: number
  readonly ms: number
}

interface WorkerContext {
  readonly store: Store
  readonly clock: Clock
  readonly owner: string
  thread(name: string, options: ThreadOptions): Thread
}

/**
 * Works on whatever threads have something to do, the longest waiting first, a bounded number at a time. One turn of a thread
 * is run, then it is the others' turn. Several workers, on several machines, share the work by the leases of the threads.
 */
export class Worker {
  readonly #context: WorkerContext
  readonly #options: WorkOptions
  readonly #running = new Map<string, Promise<void>>()
  /** Threads that were due and brought nothing, or an error: they are left alone for a while, so that nobody waits for them. */
  readonly #rests = new Map<string, Rest>()
  readonly #stopping = new AbortController()
  /** Aborted when there may be something to do, or nothing ever again. */
  #wake = new AbortController()
  /** Resolves when it has stopped and has given back all that it had. */
  readonly done: Promise<void>

  constructor(context: WorkerContext, options: WorkOptions) {
    if (!options.thread?.for)
      throw new AntiphonError('no-reader', 'a worker must be told who reads its threads', {
        hint: "pass the options that the threads are opened with: thread: { for: 'anthropic' }",
      })
    this.#context = context
    this.#options = options
    this.done = this.#loop()
  }

  /** Takes no more threads, hands over those that it has at their next step, and waits until all of them are given back. */
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
    let rounds = 0
    while (!signal.aborted) {
      // Before anything is asked, so that what ends meanwhile is not missed.
      this.#wake = new AbortController()
      const free = threads - this.#running.size
      const fresh = free > 0 ? await this.#due(free) : []
      for (const row of fresh) this.#take(row)
      // A store may answer without a pause: then timers, and other turns, would wait as long as there is something to do.
      if (++rounds % roundsMax === 0) await new Promise(resolve => setImmediate(resolve))
      if (fresh.length === 0 && !signal.aborted) await sleep(this.#context.clock, this.#pollMs, this.#wake.signal)
    }
    await Promise.all(this.#running.values())
  }

  async #due(free: number): Promise<ThreadRow[]> {
    const { store, clock } = this.#context
    const now = clock.now()
    // Kept long after their end, so that a thread that fails again rests longer, however long the others take.
    for (const [name, { since }] of this.#rests) if (Math.abs(now - since) >= 2 * restMax) this.#rests.delete(name)
    const isResting = (name: string): boolean => {
      const rest = this.#rests.get(name)
      return rest !== undefined && Math.abs(now - rest.since) < rest.ms
    }
    try {
      // More than are free, since those that run or rest here are due until they end.
      const due = await store.due(crowd * free + this.#running.size + this.#rests.size)
      const idle = due.filter(({ name }) => !this.#running.has(name) && !isResting(name))
      return this.#choose(idle, free)
    } catch (error) {
      this.#tell('', error)
      return []
    }
  }

  /** The one that waits longest, and of the next ones those that this worker likes more than others do. */
  #choose([first, ...rest]: readonly ThreadRow[], count: number): ThreadRow[] {
    if (first === undefined || count === 1) return first ? [first] : []
    const liking = new Map(rest.map(row => [row, hash(`${this.#context.owner} ${row.name}`)]))
    const liked = rest.sort((one, other) => ((liking.get(one) ?? '') < (liking.get(other) ?? '') ? -1 : 1))
    return [first, ...liked.slice(0, count - 1)]
  }

  #take(row: ThreadRow): void {
    const { name } = row
    const work = this.#work(row)
      .catch(error => {
        this.#rest(name, 2)
        this.#tell(name, error)
      })
      .finally(() => {
        this.#running.delete(name)
        // The thread may have more to do, and there is room for another one.
        this.#wake.abort()
      })
    this.#running.set(name, work)
  }

  async #work({ name, openCalls }: ThreadRow): Promise<void> {
    const { onEvent: _, tools = {}, thread: reading, ...options } = this.#options
    const thread = this.#context.thread(name, reading)
    const isSafe = (tool: string): boolean => toolNamed(tools, tool)?.replay === 'safe'
    if (openCalls > 0) mustHaveTools(await thread.callsToRun(isSafe), tools)
    const emit = (event: RunEvent): void => this.#hear(name, event)
    const forget = tellEntries(thread, emit)
    try {
      const turn = await thread.turn({ isSafe })
      if (turn) {
        await runTurn(thread, turn, { ...options, tools }, emit, this.#stopping.signal)
        this.#rests.delete(name)
        return
      }
      this.#rest(name, 1)
      await thread.rest()
    } finally {
      forget()
    }
  }

  /** Each time so many times longer than the time before. */
  #rest(name: string, times: number): void {
    const before = this.#rests.get(name)?.ms ?? this.#pollMs / times
    this.#rests.set(name, { since: this.#context.clock.now(), ms: Math.min(before * times, restMax) })
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? 500
  }

  /** Whoever listens can harm no turn. */
  #hear(name: string, event: RunEvent): void {
    try {
      this.#options.onEvent?.(name, event)
    } catch (error) {
      this.#tell(name, error)
    }
  }

  #tell(name: string, error: unknown): void {
    const { onError = warn } = this.#options
    // It may be asynchronous and fail later: nobody else would hear of that.
    void (async () => onError(name, error))().catch(failure => {
      warn(name, error)
      warn(name, failure)
    })
  }
}

/**
 * How many times more threads a worker asks for than it takes. Those who wait longest are in each worker's answer: if all
 * took the first of them, all but one would have come in vain.
 */
const crowd = 8

const restMax = 60_000
const roundsMax = 16

const warn = (name: string, error: unknown): void =>
  process.emitWarning(`thread ${name}: ${wordsOf(error)}`, { code: 'ANTIPHON_WORKER' })

/** What somebody has approved is to be run: a worker without the tool leaves it to one that has it. */
function mustHaveTools(calls: readonly CallHandle[], tools: Tools): void {
  const missing = calls.find(({ isApproved, name }) => isApproved && !toolNamed(tools, name))
  if (!missing) return
  throw new AntiphonError('no-tool', `a call of ${missing.name} is approved, and this worker has no such tool`, {
    hint: 'start a worker that has it, or settle the call',
    call: missing.id,
  })
}
