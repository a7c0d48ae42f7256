import { DatabaseSync } from '../node-modules.ts'

/** How a file is opened by callers that do not trust it: each connection is made by `open`, and checked before it is used. */
export interface SqliteGuard {
  open(location: string | URL, options: { readonly readOnly?: boolean; readonly timeout?: number }): DatabaseSync
  /** Throws if the file must not be used. */
  check(database: DatabaseSync): void
}

/** For the files of the caller. */
export const trusting: SqliteGuard = {
  open: (location, options) => new DatabaseSync(location, options),
  check: () => {},
}
