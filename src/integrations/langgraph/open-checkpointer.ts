import { assertAmounts } from '../../core/assert-options.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { JournalLocation } from '../../journal/stores/open-store.ts'
import { loadWithPackages } from '../load-with-packages.ts'
import type { Checkpointer, CheckpointerOptions } from './checkpointer.ts'
import type { GraphStore } from './graph-store.ts'
import { MemoryGraphStore } from './memory-store.ts'
import type { PostgresGraphOptions } from './postgres-store.ts'
import type { SqliteGraphOptions } from './sqlite-store.ts'

export interface OpenCheckpointerOptions extends CheckpointerOptions, SqliteGraphOptions, PostgresGraphOptions {}

/** A checkpointer is in one database: the shards of a journal are not for it. */
type GraphLocation = Exclude<JournalLocation, { shards: unknown }>

/**
 * Opens a checkpointer in the store of a journal: `memory:`, `sqlite:FILE`, `postgres://...`, or `{ pool }`. Needs the
 * package `@langchain/langgraph-checkpoint`, which is part of LangGraph.
 */
export async function openCheckpointer(
  where: GraphLocation,
  options: OpenCheckpointerOptions = {},
): Promise<Checkpointer> {
  const { leaseMs, waitMs, busyMs, reconnectMs } = options
  assertAmounts({ leaseMs, waitMs, busyMs, reconnectMs })
  const { Checkpointer } = await loadWithPackages('openCheckpointer', packages, () => import('./checkpointer.ts'))
  return new Checkpointer(await openGraphs(where, options), options)
}

const packages = ['@langchain/langgraph-checkpoint', '@langchain/core']

async function openGraphs(where: GraphLocation, options: OpenCheckpointerOptions): Promise<GraphStore> {
  if (typeof where === 'object' && 'shards' in where)
    throw new AntiphonError('unknown-store', 'a checkpointer is in one database, and cannot have shards', {
      hint: 'pass the URL of one database',
    })
  if (typeof where === 'object' || /^postgres(ql)?:/i.test(where))
    return (await import('./postgres-store.ts')).openPostgresGraphs(where, options)
  if (/^memory:$/i.test(where)) return new MemoryGraphStore(options.now)
  const file = where.match(/^sqlite:(?:\/\/)?(.+)$/i)?.[1]
  if (file !== undefined) return (await import('./sqlite-store.ts')).openSqliteGraphs(file, options)
  throw new AntiphonError('unknown-store', 'unknown journal location', {
    hint: 'use memory:, sqlite:FILE, postgres://... or { pool }',
  })
}
