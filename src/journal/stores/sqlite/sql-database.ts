/** What the shared SQL needs of a database: `DatabaseSync` of Node has it, and so has the database of a Durable Object with a thin adapter. */
export interface SqlDatabase {
  /** Runs statements without values. */
  exec(sql: string): unknown
  prepare(sql: string): SqlStatement
}

export interface SqlStatement {
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
  iterate(...values: SqlValue[]): Iterable<SqlRow>
  run(...values: SqlValue[]): { readonly changes: number | bigint }
}

export type SqlValue = string | number | null | Buffer

/** The columns of a row by name. */
export type SqlRow = Record<string, unknown>
