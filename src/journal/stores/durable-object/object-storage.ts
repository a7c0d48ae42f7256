/** What the journal needs of `ctx.storage`, the storage of a Durable Object with SQLite. */
export interface ObjectStorage {
  readonly sql: ObjectSql
  /** Runs the function in a transaction, which is rolled back if it throws. */
  transactionSync<T>(work: () => T): T
}

export interface ObjectSql {
  exec(query: string, ...values: unknown[]): ObjectCursor
}

export interface ObjectCursor extends Iterable<Record<string, unknown>> {
  toArray(): Record<string, unknown>[]
}
