import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import type { Queryable } from '../../src/journal/stores/postgres/connect.ts'
import { openPostgres, type PostgresStore } from '../../src/journal/stores/postgres/store.ts'
import { moveThread } from '../../src/journal/stores/shards/move-thread.ts'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { makeDatabases } from '../journal/stores/shard-databases.ts'

let server: Server
let pools: pg.Pool[]
beforeAll(async () => {
  server = await startServer()
  pools = (await makeDatabases(server, 2)).map(connectionString => new pg.Pool({ connectionString, max: 2 }))
  // The server may go before a connection has heard that it is closed.
  for (const pool of pools) pool.on('error', () => {})
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await server.stop()
})

/** Every statement is done twice, as if the connection had broken before the first answer arrived. */
const losingAnswers = (pool: pg.Pool): { pool: Queryable } => ({
  pool: {
    query: async (text, values) => {
      await pool.query(text, values)
      return pool.query(text, values)
    },
  },
})

const settings = { busyMs: 500 }

async function move(thread: number, stores: readonly PostgresStore[]): Promise<string> {
  const [from, to] = stores.map((store, index) => ({ number: index + 1, shard: store.shard }))
  const found = await from?.shard.scanOne(thread)
  if (!from || !to || !found) throw new Error('there is no such thread')
  return moveThread(found, from, to)
}

test('[SE642] a thread moves to another shard although the answers to all statements are lost', async () => {
  const stores = await Promise.all(pools.map(pool => openPostgres({ pool }, settings)))
  const journal = await openJournal(stores[0] as PostgresStore)
  for (const text of ['One.', 'Two.', 'Three.']) await journal.thread('chat').submit(text, { key: text })
  const row = await stores[0]?.open('chat')
  const unsure = await Promise.all(pools.map(pool => openPostgres(losingAnswers(pool), settings)))
  expect(await move(row?.thread ?? 0, unsure)).toBe('moved')
  const arrived = await stores[1]?.find('chat')
  expect(arrived).toMatchObject({ head: 3, name: 'chat' })
  expect(await stores[1]?.read(arrived?.thread ?? 0, 0)).toHaveLength(3)
})

test('[SE642] an empty thread whose name the other shard has is dropped although the answers are lost', async () => {
  const stores = await Promise.all(pools.map(pool => openPostgres({ pool }, settings)))
  const rows = await Promise.all(stores.map(store => store.open('empty')))
  const unsure = await Promise.all(pools.map(pool => openPostgres(losingAnswers(pool), settings)))
  expect(await move(rows[0]?.thread ?? 0, unsure)).toBe('dropped')
  expect(await stores[0]?.find('empty')).toBeUndefined()
})
