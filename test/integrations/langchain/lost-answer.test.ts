import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresGraphs } from '../../../src/integrations/langgraph/postgres-store.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const checkpoint = { namespace: '', id: 'checkpoint-1', body: '{"a":1}', metadata: '{}' }
const write = { namespace: '', checkpoint: 'checkpoint-1', task: 'task-1', index: 0, channel: 'messages', value: '[1]' }

test.each([
  ['a checkpoint', { checkpoint }],
  ['the writes of a task', { writes: [write] }],
] as const)(
  '[LC48] %s whose answer was lost is stored, although another run has the thread since',
  async (name, change) => {
    const schema = `lost_${name.length}`
    const other = await openPostgresGraphs(server.url(), { schema })
    const pool = new pg.Pool({ connectionString: server.url() })
    pool.on('error', () => {})
    pool.on('connect', client => client.on('error', () => {}))
    let isArmed = false
    const query = async (text: string, values: unknown[]) => {
      const answer = await pool.query(text, values)
      if (isArmed && text.includes('WITH admitted') && text.includes('antiphon_graph_checkpoint')) {
        isArmed = false
        await other.release('t')
        expect(await other.claim('t', { owner: 'other', leaseMs: 60_000 })).toBeGreaterThan(0)
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
      }
      return answer
    }
    const store = await openPostgresGraphs({ pool: { query } as never }, { schema })
    try {
      const epoch = await store.claim('t', { owner: 'one', leaseMs: 60_000 })
      isArmed = true
      const parts = new Map()
      expect(await store.write('t', { epoch, leaseMs: 0 } as never, { parts, ...change })).toBe('done')
      expect(isArmed).toBe(false)

      // What was not stored is refused as before.
      const later = { ...checkpoint, id: 'checkpoint-2' }
      expect(await store.write('t', { epoch, leaseMs: 0 } as never, { parts, checkpoint: later })).toBe('fenced')
    } finally {
      await store.close()
      await other.close()
      await pool.end()
    }
  },
)
