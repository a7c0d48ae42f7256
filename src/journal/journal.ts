import type { Tape } from '../observe/tape/create-tape.ts'
import type { Telemetry } from '../observe/telemetry/telemetry.ts'
import { childName } from './agents/child-name.ts'
import { endAgent } from './agents/end-agent.ts'
import { assertName } from './assert-name.ts'
import type { Clock } from './clock.ts'
import { type ExpireOptions, expireThreads } from './erasure/expire-threads.ts'
import { LiveHub } from './live/live-hub.ts'
import { Log } from './log.ts'
import { readThreads, type ThreadsOptions } from './stores/read-all.ts'
import type { Store, ThreadRow } from './stores/store.ts'
import { Thread } from './thread.ts'
import type { ThreadOptions } from './thread-options.ts'
import { Worker, type WorkOptions } from './worker.ts'

/** Durable conversations. Each one is a thread. */
export class Journal {
  readonly store: Store
  readonly #clock: Clock
  readonly #owner: string
  readonly #tape: Tape | undefined
  readonly #telemetry: Telemetry | undefined
  readonly #hub: LiveHub
  /** One log per thread in this process, as long as it is used. */
  readonly #logs = new Map<string, WeakRef<Log>>()
  readonly #gone = new FinalizationRegistry<string>(name => {
    if (!this.#logs.get(name)?.deref()) this.#logs.delete(name)
  })
  readonly #workers = new Set<Worker>()

  constructor(
    store: Store,
    clock: Clock,
    owner: string,
    tape?: Tape | undefined,
    telemetry?: Telemetry | undefined,
    hub: LiveHub = new LiveHub(clock),
  ) {
    this.store = store
    this.#clock = clock
    this.#owner = owner
    this.#tape = tape
    this.#telemetry = telemetry
    this.#hub = hub
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
    for await (const { row } of expireThreads(this.store, options)) erased.push(row)
    return erased
  }

  /** Starts a worker: it runs the turns of all threads that have something to do, until it is stopped. */
  work(options: WorkOptions): Worker {
    const [store, clock, owner, live] = [this.store, this.#clock, this.#owner, this.#hub]
    const context = { store, clock, owner, live, thread: this.thread.bind(this) }
    // Its spans must not become children of the span that is active now.
    const start = (): Worker => new Worker(context, options)
    const worker = this.#telemetry ? this.#telemetry.withoutSpan(start) : start()
    this.#workers.add(worker)
    void worker.done.then(() => this.#workers.delete(worker))
    return worker
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map(worker => worker.stop()))
    await this.#hub.close()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #log(name: string): Log {
    const known = this.#logs.get(name)?.deref()
    if (known) return known
    const endAgentOf = (callId: string): Promise<void> => endAgent(this.store, this.#log(childName(name, callId)))
    const log = new Log(this.store, name, this.#clock, this.#tape, endAgentOf, this.#hub)
    this.#logs.set(name, new WeakRef(log))
    this.#gone.register(log, name)
    return log
  }
}
