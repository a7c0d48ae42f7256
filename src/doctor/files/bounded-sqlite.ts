import type { StatementSync } from 'node:sqlite'
import type { AntiphonError } from '../../core/errors.ts'
import { DatabaseSync } from '../../journal/stores/node-modules.ts'
import { fileError } from './file-error.ts'

/** How long a database may be read, and the clock for it. */
export interface ReadLimit {
  readonly milliseconds: number
  readonly now: () => number
  /** The share of the time between statements that is returned to the budget. */
  readonly refill?: number
}

/**
 * The minimum for any database, and one more millisecond for this many bytes: far more than reading everything a few
 * times needs.
 */
export const readLimitFor = (bytes: number): ReadLimit => ({
  milliseconds: 60_000 + bytes / 1000,
  now: () => performance.now(),
})

/**
 * A database with a bounded total reading time. One statement is bounded by the size of its tables; without the indexes
 * of its program, one statement for each of many conversations is not. Time between statements does not count.
 */
export class BoundedDatabase extends DatabaseSync {
  #left: number
  #readAt: number
  readonly #limit: ReadLimit
  readonly #end: AntiphonError

  constructor(
    location: string | URL,
    options: { readonly readOnly?: boolean; readonly timeout?: number },
    path: string,
    limit: ReadLimit,
  ) {
    super(location, options)
    this.#left = limit.milliseconds
    this.#limit = limit
    this.#readAt = limit.now()
    // The same error each time, so that it is reported once.
    this.#end = fileError(
      path,
      'it takes too long to read, so the rest of it was not read',
      'open it with its own program, which may restore its indexes, and try again',
    )
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    const { all, get, iterate } = statement
    return Object.assign(statement, {
      all: (...values: Parameters<typeof all>) => this.#timed(() => all.apply(statement, values)),
      get: (...values: Parameters<typeof get>) => this.#timed(() => get.apply(statement, values)),
      iterate: (...values: Parameters<typeof iterate>) => this.#rows(iterate.apply(statement, values)),
    })
  }

  *#rows<Row>(rows: Iterator<Row>): Generator<Row, undefined> {
    try {
      for (;;) {
        const { done, value } = this.#timed(() => rows.next())
        if (done) return undefined
        yield value
      }
    } finally {
      rows.return?.()
    }
  }

  #timed<Result>(read: () => Result): Result {
    const { milliseconds, now, refill = 0 } = this.#limit
    const start = now()
    this.#left = Math.min(milliseconds, this.#left + (start - this.#readAt) * refill)
    try {
      if (this.#left < 0) throw this.#end
      return read()
    } finally {
      this.#readAt = now()
      this.#left -= this.#readAt - start
    }
  }
}
