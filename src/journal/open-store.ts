import { AntiphonError } from '../errors.ts'
import { MemoryStore } from './memory.ts'
import type { Queryable } from './postgres/connect.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** Where a journal is: `memory:`, `sqlite:FILE`, `postgres://...`, or anything that can `query` PostgreSQL. */
export type Where = string | { pool: Queryable }

/** What the stores can be told; each heeds what it knows. */
export interface StoreOptions extends SqliteOptions, PostgresOptions {}

/** Opens a store. Only what is needed is loaded: SQLite is part of Node, PostgreSQL needs the package `pg`. */
export async function openStore(where: Where, options: StoreOptions = {}): Promise<Store> {
  if (where === 'memory:') return new MemoryStore(options)
  if (typeof where === 'object' || /^postgres(ql)?:/.test(where))
    return (await import('./postgres/store.ts')).openPostgres(where, options)
  const file = where.match(/^sqlite:(?:\/\/)?(.+)$/)?.[1]
  if (file !== undefined) return (await import('./sqlite/store.ts')).openSqlite(file, options)
  // Only how it begins: what stands behind may be a password.
  throw new AntiphonError('unknown-store', `no journal is kept at ${JSON.stringify(where.split(':')[0])}`, {
    hint: 'memory:, sqlite:FILE, postgres://... or { pool }',
  })
}
