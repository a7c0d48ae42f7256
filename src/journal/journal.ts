import type { Tape } from '../observe/tape/create-tape.ts'
import { tapeFromEnvironment } from '../observe/tape/environment.ts'
import { openTelemetry, type Telemetry } from '../observe/telemetry/telemetry.ts'
import type { TelemetryOptions } from '../observe/telemetry/telemetry-options.ts'
import { childName } from './agents/child-name.ts'
import { endAgent } from './agents/end-agent.ts'
import { assertName } from './assert-name.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ExpireOptions, expireThreads } from './erasure/expire-threads.ts'
import { Log } from './log.ts'
import { type Seal, sealKeysOf } from './seal/seal-keys.ts'
import { SealedStore } from './seal/sealed-store.ts'
import { LazyStore } from './stores/lazy-store.ts'
import { type JournalLocation, openStore, type StoreOptions, storeNameOf } from './stores/open-store.ts'
import { readThreads, type ThreadsOptions } from './stores/read-all.ts'
import type { Store, ThreadRow } from './stores/store.ts'
import { randomUid } from './stores/uid.ts'
import { Thread } from './thread.ts'
import type { ThreadOptions } from './thread-options.ts'
import { Worker, type WorkOptions } from './worker.ts'

export interface JournalOptions extends StoreOptions {
  /** For tests: the clock to use. */
  readonly clock?: Clock
  /** The name of this process in leases; random by default. */
  readonly owner?: string
  /** Records what this process writes. By default the tape named by ANTIPHON_TAPE, if it is set. */
  readonly tape?: Tape
  /**
   * Encrypts the content of threads that begin from now on, with a key per thread: a key of 32 bytes that wraps those keys, or functions that do.
   * Names, times and states stay readable.
   */
  readonly seal?: Seal
  /**
   * Open the store on first use, not now: nothing is created, and no database is asked, until then. By default only in `next build`, which loads
   * every route, in several processes, and answers no request.
   */
  readonly lazy?: boolean
  /** OpenTelemetry spans of turns, model calls and tools. On by default if `@opentelemetry/api` is installed. */
  readonly telemetry?: boolean | TelemetryOptions
}

/** Opens a journal, and creates it if it does not exist: `memory:`, `sqlite:FILE`, `postgres://...`, or `{ pool }`. */
export async function openJournal(location: JournalLocation | Store, options: JournalOptions = {}): Promise<Journal> {
  const {
    clock = systemClock,
    owner = `${process.pid}-${randomUid()}`,
    tape = tapeFromEnvironment(),
    telemetry,
    seal,
    lazy = process.env.NEXT_PHASE === 'phase-production-build',
    ...more
  } = options
  const keys = seal && sealKeysOf(seal)
  const open = (): Promise<Store> =>
    isStore(location) ? Promise.resolve(location) : openStore(location, { now: () => clock.now(), ...more })
  const inner = lazy && !isStore(location) ? new LazyStore(storeNameOf(location), open) : await open()
  const store = keys ? new SealedStore(inner, keys) : inner
  return new Journal(store, clock, owner, tape, await openTelemetry(telemetry))
}

/** Durable conversations. Each one is a thread. */
export class Journal {
  readonly store: Store
  readonly #clock: Clock
  readonly #owner: string
  readonly #tape: Tape | undefined
  readonly #telemetry: Telemetry | undefined
  /** One log per thread in this process, as long as it is used. */
  readonly #logs = new Map<string, WeakRef<Log>>()
  readonly #gone = new FinalizationRegistry<string>(name => {
    if (!this.#logs.get(name)?.deref()) this.#logs.delete(name)
  })
  readonly #workers = new Set<Worker>()

  constructor(store: Store, clock: Clock, owner: string, tape?: Tape | undefined, telemetry?: Telemetry | undefined) {
    this.store = store
    this.#clock = clock
    this.#owner = owner
    this.#tape = tape
    this.#telemetry = telemetry
  }

  /** The thread with this name. Nothing is read or written before it is used. */
  thread(name: string, options: ThreadOptions = {}): Thread {
    assertName(name, 'the name of a thread')
    return new Thread(
      {
        ...{ log: this.#log(name), clock: this.#clock, owner: this.#owner, telemetry: this.#telemetry },
        ...{ store: this.store, logOf: other => this.#log(other), open: (other, more) => this.thread(other, more) },
      },
      options,
    )
  }

  /** The threads, oldest first: all of them, or those that the options select. Those of agents only with `children`. */
  threads(options: ThreadsOptions = {}): AsyncGenerator<ThreadRow> {
    return readThreads(this.store, options)
  }

  /** Erases idle threads, with those of their agents, and returns their rows as they were before. A thread that is written in the meantime is not erased. */
  async expire(options: ExpireOptions): Promise<readonly ThreadRow[]> {
    const erased: ThreadRow[] = []
    for await (const row of expireThreads(this.store, options)) erased.push(row)
    return erased
  }

  /** Starts a worker: it runs the turns of all threads that have something to do, until it is stopped. */
  work(options: WorkOptions): Worker {
    const context = { store: this.store, clock: this.#clock, owner: this.#owner, thread: this.thread.bind(this) }
    // Its spans must not become children of the span that is active now.
    const start = (): Worker => new Worker(context, options)
    const worker = this.#telemetry ? this.#telemetry.withoutSpan(start) : start()
    this.#workers.add(worker)
    void worker.done.then(() => this.#workers.delete(worker))
    return worker
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map(worker => worker.stop()))
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #log(name: string): Log {
    const known = this.#logs.get(name)?.deref()
    if (known) return known
    const endAgentOf = (callId: string): Promise<void> => endAgent(this.store, this.#log(childName(name, callId)))
    const log = new Log(this.store, name, this.#clock, this.#tape, endAgentOf)
    this.#logs.set(name, new WeakRef(log))
    this.#gone.register(log, name)
    return log
  }
}

const isStore = (location: JournalLocation | Store): location is Store =>
  typeof location === 'object' && 'write' in location
