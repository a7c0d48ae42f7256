import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { sqliteFailure } from './failure.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import type { Statements } from './statements.ts'

export interface BatchOptions {
  readonly busyMs: number
  /** Throws if what is written would be lost. */
  readonly check: () => void
  /** Hears of every commit, with the number of changes in it. It must not throw. */
  readonly onCommit: (changes: number) => void
}

/** A change of the database. It throws an AntiphonError only as long as it has written nothing. */
type Change = () => unknown

interface Job {
  readonly change: Change
  readonly bytes: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  /** Its batch failed, and it is not known because of whom. */
  alone: boolean
  /** What is to be said once it is committed. */
  answer: unknown
  refusal: AntiphonError | undefined
}

/**
 * Group commit: changes that come while the process is busy share one transaction, and so one fsync. Nobody hears of a
 * change before the commit is done. If a batch fails, each of its changes is tried once more by itself, so that one that
 * is too large does not fail its neighbours.
 *
 * Whoever has company waits for the end of the round of the event loop, so that all who come until then go along. That wait
 * costs as much as a small write does without fsync, so a writer that is alone does not wait: but only for a moment in a
 * round, since one that never pauses would keep the event loop from going on, and company from being noticed.
 */
export class Batch {
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #options: BatchOptions
  readonly #queue: Job[] = []
  /** Whether the next commit is on its way. */
  #running = false
  /** Whether the last commit was for several. */
  #hasCompany = false
  /** When the first commit of this round of the event loop was asked for. */
  #roundSince: number | undefined
  #rest: (() => void)[] = []

  constructor(database: DatabaseSync, statements: Statements, options: BatchOptions) {
    this.#database = database
    this.#statements = statements
    this.#options = options
  }

  /** Runs a change inside a transaction. What it returns is the answer, once it is committed. */
  add<T>(change: () => T, bytes = 0): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#queue.push({ change, bytes, resolve, reject, alone: false, answer: undefined, refusal: undefined })
      if (!this.#running) this.#next()
    }) as Promise<T>
  }

  /** When nothing is waiting any more. */
  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>(resolve => this.#rest.push(resolve))
  }

  #next(): void {
    this.#running = this.#queue.length > 0
    if (!this.#running) for (const rest of this.#rest.splice(0)) rest()
    else if (this.#hasCompany || this.#roundMs() > hurryMs) setImmediate(this.#flush)
    // Not queueMicrotask, which makes a resource of its own for those who follow what is asynchronous.
    else void settled.then(this.#flush)
  }

  #roundMs(): number {
    const now = performance.now()
    if (this.#roundSince === undefined) {
      this.#roundSince = now
      setImmediate(this.#endRound)
    }
    return now - this.#roundSince
  }

  readonly #endRound = (): void => {
    this.#roundSince = undefined
  }

  readonly #flush = (): void => {
    try {
      this.#commitNext()
      this.#next()
    } catch {
      void this.#flushWhenFree()
    }
  }

  async #flushWhenFree(): Promise<void> {
    const waiting = this.#queue.length
    try {
      await retryWhileBusy(() => this.#commitNext(), this.#options.busyMs)
    } catch (error) {
      for (const job of this.#queue.splice(0, waiting)) job.reject(error)
    }
    this.#next()
  }

  /** Throws only if no transaction may or could be begun; then the queue is as it was. */
  #commitNext(): void {
    this.#options.check()
    this.#statements.begin.run()
    const jobs = this.#take()
    this.#hasCompany = jobs.length > 1
    try {
      for (const job of jobs) attempt(job)
      this.#statements.commit.run()
    } catch (error) {
      this.#rollBack()
      this.#putBack(jobs, error)
      return
    }
    for (const { resolve, reject, answer, refusal } of jobs) refusal ? reject(refusal) : resolve(answer)
    this.#options.onCommit(jobs.length)
  }

  #rollBack(): void {
    try {
      // SQLite has done it already after some errors, like a full disk.
      if (this.#database.isTransaction) this.#statements.rollback.run()
    } catch {
      // The error that led here says more, and the next transaction will not begin.
    }
  }

  #take(): Job[] {
    let bytes = 0
    let count = 0
    for (const job of this.#queue) {
      if (count > 0 && (job.alone || count === jobsMax || bytes + job.bytes > bytesMax)) break
      bytes += job.bytes
      count++
      if (job.alone) break
    }
    return this.#queue.splice(0, count)
  }

  #putBack(jobs: readonly Job[], error: unknown): void {
    if (jobs.length === 1) {
      jobs[0].reject(sqliteFailure(error))
      return
    }
    for (const job of jobs) job.alone = true
    this.#queue.unshift(...jobs)
  }
}

function attempt(job: Job): void {
  job.refusal = undefined
  try {
    job.answer = job.change()
  } catch (error) {
    if (!AntiphonError.is(error)) throw error
    job.refusal = error
  }
}

const settled = Promise.resolve()

const hurryMs = 0.5

/** A batch ends here, so that the event loop goes on and other processes have a turn. */
const jobsMax = 256
const bytesMax = 8 * 1024 * 1024
