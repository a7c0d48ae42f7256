import type { Store } from '../journal/store.ts'
import { type Clock, sleep } from './clock.ts'
import { wordsOf } from './outcome.ts'
import { type RunOptions, runTurn, tellEntries } from './run.ts'
import type { RunEvent } from './run-event.ts'
import type { Thread, ThreadOptions } from './thread.ts'
import { toolNamed } from './tool.ts'

export interface WorkOptions extends Omit<RunOptions, 'onEvent' | 'signal' | 'waitMs'> {
  /** How the threads are read. */
  readonly thread?: ThreadOptions
  /** How many threads at a time; 8 by default. */
  readonly threads?: number
  /** How long to pause when there is nothing to do; 500 by default. */
  readonly pollMs?: number
  readonly onEvent?: (thread: string, event: RunEvent) => void
  /** A turn that failed is recorded as such; this hears of it too. By default a process warning. */
  readonly onError?: (thread: string, error: unknown) => void
}

interface WorkerContext {
  readonly store: Store
  readonly clock: Clock
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
  /** Threads that were due and brought nothing, or an error: until when they are left alone, so that nobody waits for them. */
  readonly #resting = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  constructor(context: WorkerContext, options: WorkOptions) {
    this.#context = context
    this.#options = options
    this.#done = this.#loop()
  }

  /** Takes no more threads, hands over those that it has at their next step, and waits until all of them are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #loop(): Promise<void> {
    const { threads = 8 } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const free = threads - this.#running.size
      const fresh = free > 0 ? await this.#due(free) : []
      for (const name of fresh) this.#take(name)
      if (fresh.length === 0) await Promise.race([this.#pause(signal), this.#anyEnd(free === 0)])
    }
    await Promise.all(this.#running.values())
  }

  async #due(free: number): Promise<string[]> {
    const { store, clock } = this.#context
    for (const [name, until] of this.#resting) if (until <= clock.now()) this.#resting.delete(name)
    try {
      // More than are free, since those that run or rest here are due until they end.
      const due = await store.due(free + this.#running.size + this.#resting.size)
      const names = due.map(({ name }) => name)
      return names.filter(name => !this.#running.has(name) && !this.#resting.has(name)).slice(0, free)
    } catch (error) {
      this.#tell('', error)
      return []
    }
  }

  #take(name: string): void {
    const work = this.#work(name)
      .catch(error => {
        this.#rest(name)
        this.#tell(name, error)
      })
      .finally(() => this.#running.delete(name))
    this.#running.set(name, work)
  }

  async #work(name: string): Promise<void> {
    const { onEvent: _, tools = {}, thread: reading = {}, ...options } = this.#options
    const thread = this.#context.thread(name, reading)
    const emit = (event: RunEvent): void => this.#hear(name, event)
    const forget = tellEntries(thread, emit)
    try {
      const turn = await thread.turn({ isSafe: tool => toolNamed(tools, tool)?.replay === 'safe' })
      if (turn) return await runTurn(thread, turn, { ...options, tools }, emit, () => this.#stopping.signal.aborted)
      this.#rest(name)
      await thread.rest()
    } finally {
      forget()
    }
  }

  #rest(name: string): void {
    this.#resting.set(name, this.#context.clock.now() + this.#pollMs)
  }

  #pause(signal: AbortSignal): Promise<void> {
    return sleep(this.#context.clock, this.#pollMs, signal)
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? 500
  }

  /** Resolves when one of them ends; if there is room anyway, nobody has to wait for it. */
  #anyEnd(isFull: boolean): Promise<unknown> {
    return isFull ? Promise.race(this.#running.values()) : new Promise(() => {})
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
    const { onError } = this.#options
    if (onError) onError(name, error)
    else process.emitWarning(`thread ${name}: ${wordsOf(error)}`, { code: 'ANTIPHON_WORKER' })
  }
}
