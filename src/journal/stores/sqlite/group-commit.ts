import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { sqliteFailure } from './failure.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import type { Statements } from './statements.ts'

export interface BatchOptions {
  readonly busyMs: number
  /** Throws if writes would be lost, such as when the file was removed. */
  readonly check: () => void
  /** Called after every commit with the number of changes in it. It must not throw. */
  readonly onCommit: (changes: number) => void
}

/** A change of the database. It may throw an AntiphonError only before it has written anything. */
type Change = () => unknown

interface Job {
  readonly change: Change
  readonly bytes: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  /** Its batch failed, so it is tried again by itself. */
  alone: boolean
  /** The result to resolve with after the commit. */
  answer: unknown
  refusal: AntiphonError | undefined
}

/**
 * Group commit: changes that arrive while the process is busy share one transaction, and thus one fsync. No change is
 * acknowledged before the commit. If a batch fails, each of its changes is tried once more by itself, so that one that is too
 * large does not fail the others.
 *
 * If the last batch had several changes, the next one waits for the end of the event loop round, so that more can join. That
 * wait costs as much as a small write without fsync, so a single writer does not wait, but only for a short time per round:
 * otherwise it would block the event loop, and other writers would not be noticed.
 */
export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #options: BatchOptions
  readonly #queue: Job[] = []
  /** Whether the next commit is scheduled. */
  #running = false
  /** Whether the last commit had several changes. */
  #isShared = false
  /** When the first commit of this event loop round was requested. */
  #roundSince: number | undefined
  /** Resolves the promises of `idle`. */
  #onIdle: (() => void)[] = []

  constructor(database: DatabaseSync, statements: Statements, options: BatchOptions) {
    this.#database = database
    this.#statements = statements
    this.#options = options
  }

  /** Runs a change inside a transaction, and resolves with its return value after the commit. */
  add<T>(change: () => T, bytes = 0): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#queue.push({ change, bytes, resolve, reject, alone: false, answer: undefined, refusal: undefined })
      if (!this.#running) this.#next()
    }) as Promise<T>
  }

  /** Resolves when no change is waiting. */
  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>(resolve => this.#onIdle.push(resolve))
  }

  #next(): void {
    this.#running = this.#queue.length > 0
    if (!this.#running) for (const resolve of this.#onIdle.splice(0)) resolve()
    else if (this.#isShared || this.#roundMs() > singleWriterMs) setImmediate(this.#flush)
    // Not queueMicrotask, which creates an async_hooks resource.
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

  /** Throws only if no transaction could be started; the queue is then unchanged. */
  #commitNext(): void {
    this.#options.check()
    this.#statements.begin.run()
    const jobs = this.#nextJobs()
    this.#isShared = jobs.length > 1
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
      // SQLite has rolled back already after some errors, such as a full disk.
      if (this.#database.isTransaction) this.#statements.rollback.run()
    } catch {
      // The original error says more, and the next transaction will not start.
    }
  }

  #nextJobs(): Job[] {
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
    const [only, second] = jobs
    if (only && !second) {
      only.reject(sqliteFailure(error))
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

const singleWriterMs = 0.5

/** Limits of a batch, so that the event loop and other processes get a chance. */
const jobsMax = 256
const bytesMax = 8 * 1024 * 1024
