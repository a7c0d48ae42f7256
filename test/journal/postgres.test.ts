import { afterAll, beforeAll } from 'vitest'
import { openPostgres, type PostgresStore } from '../../src/journal/stores/postgres/store.ts'
import { checkJournal } from './contract.ts'
import { newSchema } from './stores/postgres-fixture.ts'
import { type Server, startServer } from './stores/postgres-server.ts'

/** The tables are made once: each test begins with empty ones. */
const schema = newSchema()
const stores: PostgresStore[] = []
let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  for (const store of stores) await store.close()
  await server.stop()
})

checkJournal('postgres', async () => {
  let opened = 0
  const open = async () => {
    const index = opened++
    stores[index] ??= await openPostgres(server.url(), { schema, connections: 2 })
    return stores[index]
  }
  const close = async () => {
    // To truncate makes new files for every table and index. With the lock, as then, no write is under way.
    const names = tables.map(table => `"${schema.replaceAll('"', '""')}".antiphon_${table}`)
    const deletes = names.map(name => `DELETE FROM ${name}`)
    await server.sql([`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`, ...deletes].join(';'))
  }
  return { open, close }
})

const tables = ['name', 'thread', 'entry', 'input', 'open_call']
