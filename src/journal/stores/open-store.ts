import { AntiphonError } from '../../core/errors.ts'
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
  if (typeof where === 'object' || /^postgres(ql)?:/i.test(where))
    return (await import('./postgres/store.ts')).openPostgres(where, options)
  if (/^memory:$/i.test(where)) return new MemoryStore(options)
  const file = where.match(/^sqlite:(?:\/\/)?(.+)$/i)?.[1]
  if (file !== undefined) return (await import('./sqlite/store.ts')).openSqlite(file, options)
  // Only its scheme, if that is what it begins with: all else may be a password.
  const scheme = where.match(/^[a-z+]{1,12}(?=:)/i)?.[0]
  throw new AntiphonError('unknown-store', `no journal is kept at ${scheme ? `"${scheme}:"` : 'such a place'}`, {
    hint: 'memory:, sqlite:FILE, postgres://... or { pool }',
  })
}
