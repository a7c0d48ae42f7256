import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresGraphs } from '../../../src/integrations/langgraph/postgres-store.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('[LC49] what a run writes while its thread is deleted is deleted too', async () => {
  const store = await openPostgresGraphs(server.url(), { schema: 'removal' })
  const client = new pg.Client(server.url())
  await client.connect()
  try {
    // A write in a transaction that is still open: it holds the row of the thread.
    const writing = await openPostgresGraphs({ pool: client }, { schema: 'removal' })
    const epoch = (await store.claim('t', { owner: 'one', leaseMs: 60_000 })) ?? 0
    const write = { namespace: '', checkpoint: 'checkpoint-1', task: 'task-1', index: 0, channel: 'a', value: '[1]' }
    const change = {
      checkpoint: { namespace: '', id: 'checkpoint-1', body: '{"a":1}', metadata: '{}' },
      parts: new Map([['AAAA', Buffer.from('secret')]]),
      writes: [write],
    }
    await client.query('BEGIN')
    expect(await writing.write('t', { epoch, leaseMs: 60_000 }, change)).toBe('done')
    const removed = store.remove('t')
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await expect.poll(async () => (await client.query(waits)).rows.length).toBe(1)
    await client.query('COMMIT')
    await removed
    for (const table of ['checkpoint', 'part', 'write', 'effect'])
      expect((await client.query(`SELECT * FROM removal.antiphon_graph_${table}`)).rows).toEqual([])

    // The run cannot write any more, and a new one can use the thread at once.
    expect(await store.write('t', { epoch, leaseMs: 0 }, change)).toBe('fenced')
    expect(await store.claim('t', { owner: 'two', leaseMs: 60_000 })).toBeGreaterThan(epoch)
    await Promise.all([store.remove('t'), store.remove('t'), store.remove('none')])
  } finally {
    await client.end()
    await store.close()
  }
})
