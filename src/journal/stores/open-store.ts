import { AntiphonError } from '../../core/errors.ts'
import { MemoryStore } from './memory.ts'
import type { Queryable } from './postgres/connect.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { ShardList } from './shards/open-shards.ts'
import type { Rebalanced, RebalanceOptions } from './shards/rebalance.ts'
import type { SqliteOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

/**
 * Where a journal is: `memory:`, `sqlite:FILE`, `postgres://...`, or anything that can `query` PostgreSQL. `shards` are several PostgreSQL databases,
 * among which the threads are divided by their names; new ones are added at the end of the list.
 */
export type JournalLocation = string | { pool: Queryable } | { shards: ShardList }

/** The options of all stores. Each store uses those that it knows. */
export interface StoreOptions extends SqliteOptions, PostgresOptions {}

/** Opens a store, and loads only its code: SQLite is part of Node, PostgreSQL needs the package `pg`. */
export async function openStore(location: JournalLocation, options: StoreOptions = {}): Promise<Store> {
  const name = storeNameOf(location)
  if (typeof location === 'object' && 'shards' in location)
    return (await import('./shards/open-shards.ts')).openShards(location.shards, options)
  if (name === 'postgres' || typeof location === 'object')
    return (await import('./postgres/store.ts')).openPostgres(location, options)
  if (name === 'memory') return new MemoryStore(options)
  return (await import('./sqlite/store.ts')).openSqlite(sqliteFileOf(location) ?? location, options)
}

/**
 * Moves threads to their shards after databases were added at the end of the list. First, open the journal with the longer list in every process; it
 * can then be used while threads move. The function can be stopped at any moment; call it again to continue.
 */
export async function rebalance(
  location: { readonly shards: ShardList },
  options: RebalanceOptions = {},
): Promise<Rebalanced> {
  return (await import('./shards/rebalance.ts')).rebalance(location, options)
}

const sqlite = /^sqlite:(?:\/\/)?(.+)$/i

/** The file of a location that is one. */
export const sqliteFileOf = (location: string): string | undefined => sqlite.exec(location)?.[1]

/** Which store a location is for. */
export function storeNameOf(location: JournalLocation): Store['name'] {
  if (typeof location === 'object' || /^postgres(ql)?:/i.test(location)) return 'postgres'
  if (/^memory:$/i.test(location)) return 'memory'
  if (sqlite.test(location)) return 'sqlite'
  // The message names only the scheme, since the rest may contain a password.
  const scheme = location.match(/^[a-z+]{1,12}(?=:)/i)?.[0]
  throw new AntiphonError(
    'unknown-store',
    `unknown journal location ${scheme ? `"${scheme}:"` : '(not shown: it may contain a password)'}`,
    {
      hint: 'use memory:, sqlite:FILE, postgres://... or { pool }',
    },
  )
}
