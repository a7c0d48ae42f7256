import type { Clock } from '../../../src/journal/clock.ts'
import { Journal } from '../../../src/journal/journal.ts'
import type { Store, Write, WriteResult } from '../../../src/journal/stores/store.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { ThreadOptions } from '../../../src/journal/thread-options.ts'
import { RemoteStore, type Wire } from './remote-store.ts'
import type { Life, World } from './world.ts'

/**
 * A process with a journal of its own over the common store. When it crashes nothing in it goes on: its timers do not ring, it gets
 * no answers, its tools say no more. What it has sent to the store arrives, or does not.
 */
export class Process implements Life {
  readonly name: string
  readonly world: World
  readonly journal: Journal
  readonly clock: Clock
  isDead = false
  pausedUntil = 0
  hasSlept = false
  /** Hears of every write that the store has acknowledged. */
  onWritten: (write: Write, written: Extract<WriteResult, { ok: true }>) => void = () => {}
  readonly #store: RemoteStore
  /** Held, so that the journal keeps what it knows of them whenever memory is cleaned up. */
  readonly #threads = new Map<string, Thread>()
  readonly #options: ThreadOptions

  constructor(name: string, world: World, store: Store, wire: Wire, options: ThreadOptions = {}, skewMs = 0) {
    this.name = name
    this.world = world
    this.#options = options
    this.clock = { now: () => world.clock + skewMs, after: (ms, callback) => world.schedule(ms, callback, this) }
    this.#store = new RemoteStore(store, this, wire)
    this.#store.onWritten = (write, written) => this.onWritten(write, written)
    this.journal = new Journal(this.#store, this.clock, name)
  }

  thread(name: string): Thread {
    const known = this.#threads.get(name) ?? this.journal.thread(name, this.#options)
    this.#threads.set(name, known)
    return known
  }

  crash(): void {
    this.isDead = true
    this.#store.abandon()
  }

  pause(ms: number): void {
    this.hasSlept = true
    this.pausedUntil = Math.max(this.pausedUntil, this.world.now + ms)
  }

  /** The most requests that it sent within one second of its world's time. */
  get requestsPeak(): number {
    return this.#store.requestsPeak
  }

  wait(ms: number): Promise<void> {
    return this.world.wait(ms, this)
  }
}
