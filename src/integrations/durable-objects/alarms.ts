import { sleep, systemClock } from '../../journal/clock.ts'
import type { DurableObjectStore } from '../../journal/stores/durable-object/store.ts'
import type { Worker } from '../../journal/worker.ts'
import type { AlarmInfo, ObjectContext } from './object-context.ts'

/**
 * The alarm of an object. It is set in the transaction of every write that leaves something to do, so that an eviction or a crash never leaves work
 * without an alarm. While its handler runs, the object stays in memory. The runtime calls the handler again after a crash.
 */
export class Alarms {
  readonly #storage: ObjectContext['storage']
  readonly #store: DurableObjectStore
  readonly #work: (failed: () => void) => Worker
  readonly #onEnd: () => void
  #worker: Worker | undefined
  /** Aborted when nothing is left to do now. */
  #idle = new AbortController()
  #isRunning = false
  #failures = 0
  /** When to try again after a failure. Writes do not make it earlier. */
  #pausedUntil = 0
  #hasFailed = false
  /** The time that the alarm is set to; null if it is not set, undefined if that is not known. */
  #at: number | null | undefined

  constructor(
    storage: ObjectContext['storage'],
    store: DurableObjectStore,
    work: (failed: () => void) => Worker,
    onEnd: () => void,
  ) {
    this.#onEnd = onEnd
    this.#storage = storage
    this.#store = store
    this.#work = work
  }

  /** Whether the alarm handler runs, or a request runs a turn. */
  get isBusy(): boolean {
    return this.#isRunning || this.#store.nextDue().isOwned
  }

  /** Must be called in the transaction of every change. */
  changed(): void {
    // While the handler runs, its alarm is not lost: the runtime repeats it after a failure, and `run` sets the next one at its end.
    if (this.#isRunning) this.#checkIdle()
    else this.#set()
  }

  /** Runs what there is to do, until nothing is left to do now. */
  async run({ retryCount }: AlarmInfo = { retryCount: 0 }): Promise<void> {
    this.#isRunning = true
    this.#at = undefined
    // The runtime gives up after some attempts. For a new alarm it counts them again.
    if (retryCount >= attemptsMax) await this.#storage.setAlarm(Date.now() + pauseMax)
    this.#idle = new AbortController()
    this.#worker ??= this.#work(() => this.#fail())
    this.#checkIdle()
    await sleep(systemClock, runMs, this.#idle.signal)
    if (this.#idle.signal.aborted) await this.#stop()
    this.#isRunning = false
    this.#set()
    this.#onEnd()
  }

  async #stop(): Promise<void> {
    await this.#worker?.stop()
    this.#worker = undefined
    this.#failures = this.#hasFailed ? this.#failures + 1 : 0
    this.#pausedUntil = this.#hasFailed ? Date.now() + Math.min(pauseMin * 2 ** this.#failures, pauseMax) : 0
    this.#hasFailed = false
  }

  #fail(): void {
    this.#hasFailed = true
    this.#checkIdle()
  }

  #checkIdle(): void {
    const { at = Infinity, isOwned } = this.#store.nextDue()
    if (at > Date.now() || (this.#hasFailed && !isOwned)) this.#idle.abort()
  }

  #set(): void {
    const { at: dueAt } = this.#store.nextDue()
    const at = dueAt === undefined ? null : Math.max(dueAt, this.#pausedUntil)
    if (at === this.#at) return
    this.#at = at
    // Neither promise rejects unless the object is reset, which undoes the write as well.
    void (at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at))
  }
}

/** How long the handler waits; the runtime allows 15 minutes. After that the next alarm waits for the same turn. */
const runMs = 10 * 60_000

/** The runtime retries a failed alarm six times. Before the last time, a new alarm is set. */
const attemptsMax = 5

/** How long to pause after a failure that leaves the work as it is, such as a tool that is missing. */
const pauseMin = 500
const pauseMax = 5 * 60_000
