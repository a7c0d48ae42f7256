import pg from 'pg'
import { openPostgres } from '../../src/journal/stores/postgres/store.ts'
import { openShards } from '../../src/journal/stores/shards/open-shards.ts'
import { connectSqlite } from '../../src/journal/stores/sqlite/connect.ts'
import { openSqlite, SqliteStore } from '../../src/journal/stores/sqlite/store.ts'
import type { Store } from '../../src/journal/stores/store.ts'
import type { Plan } from './plan.ts'
import type { Points } from './points.ts'

/** Opens a store that has points inside its writes too: `inside response-record`, and so on. */
export async function openWatched({ where, plain }: Plan, points: Points): Promise<Store> {
  if ('file' in where) return plain ? openSqlite(where.file) : openFile(where.file, points)
  const options = { schema: where.schema, connections: 4, reconnectMs: 600_000 }
  if ('shards' in where) return openShards(where.shards, { ...options, busyMs: 600_000 })
  const { url, schema } = where
  // A server that restarts may take minutes where the machine is shared: that says nothing about the journal.
  return plain ? openPostgres(url, options) : openServer(url, schema, points)
}

/** The point is in the middle of the transaction: the entry is there, and its commit is not. */
async function openFile(file: string, points: Points): Promise<Store> {
  const database = await connectSqlite(file, { durability: 'full', readOnly: false, busyMs: 5_000, now: Date.now })
  database.function('reach', kind => {
    points.reach(`inside ${kind}`)
    return null
  })
  database.exec(`CREATE TEMP TRIGGER reached AFTER INSERT ON main.antiphon_entry BEGIN SELECT reach(new.kind); END`)
  return new SqliteStore(database)
}

/** The point is behind the sending of the statement: the server has it, and its answer did not come. */
async function openServer(url: string, schema: string, points: Points): Promise<Store> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  const query = (text: string, values: unknown[]) => {
    const answer = pool.query(text, values)
    if (text.includes('INSERT INTO') && text.includes('antiphon_entry'))
      setImmediate(() => points.reach(`inside ${values.find(isKind)}`))
    return answer
  }
  const store = await openPostgres({ pool: { query } }, { schema })
  const close = store.close.bind(store)
  return Object.assign(store, { close: () => close().then(() => pool.end()) })
}

const isKind = (value: unknown): boolean =>
  typeof value === 'string' && /^(input|turn|response|call|note|branch|history)-[a-z]+$/.test(value)
