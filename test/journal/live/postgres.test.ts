import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveTransport, openJournal, run } from '../../../src/journal/index.ts'
import { postgresTransport } from '../../../src/journal/live/transports/postgres.ts'
import { startPgBouncer } from '../stores/pgbouncer.ts'
import { newSchema } from '../stores/postgres-fixture.ts'
import { type Server, startServer } from '../stores/postgres-server.ts'
import { chunk, lastChunk } from './chunks.ts'
import { checkTransport } from './contract.ts'
import { Gate } from './gate.ts'
import { Peer } from './peer.ts'
import { startPooler } from './pooler.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

checkTransport('by LISTEN and NOTIFY', async () => {
  const gate = await new Gate(server.port).open()
  return {
    open: () => postgresTransport(server.url(gate.port), { schema: 'contract' }),
    cut: () => gate.cut(),
    down: () => gate.close(),
    up: async () => void (await gate.open()),
    close: () => gate.close(),
  }
})

describe('LISTEN and NOTIFY', () => {
  const transports: LiveTransport[] = []
  const connect = async (...given: Parameters<typeof postgresTransport>): Promise<Peer> => {
    const transport = await postgresTransport(...given)
    transports.push(transport)
    return Peer.connected(transport)
  }
  afterAll(async () => {
    for (const transport of transports) await transport.close()
  })

  test('[LV6] comes back after the server has crashed', async () => {
    const [writer, reader] = [await connect(server.url()), await connect(server.url())]
    await reader.transport.subscribe('a')
    await server.crash()
    await expect
      .poll(() => {
        writer.transport.publish('a', 'back')
        return reader.texts('a').length
      })
      .toBeGreaterThan(0)
    expect([writer.isConnected, reader.isConnected]).toEqual([true, true])
  })

  test('[LV3] journals in other schemas hear nothing', async () => {
    const [writer, reader, stranger] = [
      await connect(server.url(), { schema: 'one' }),
      await connect(server.url(), { schema: 'one' }),
      await connect(server.url(), { schema: 'other' }),
    ]
    await Promise.all([reader.transport.subscribe('due'), stranger.transport.subscribe('due')])
    writer.transport.publish('due', 'x')
    await expect.poll(() => reader.texts('due')).toEqual(['x'])
    expect(stranger.received).toEqual([])
  })

  test('[LV9] a pooler in transaction mode is recognised: it is said once, and the journal goes on', async () => {
    const pooler = await startPooler(server)
    const peer = new Peer(await postgresTransport(pooler.url))
    await expect.poll(() => peer.counts).toEqual({ connected: 0, lost: 1 })
    expect(String(peer.lastError)).toContain('a pooler that does not support LISTEN')
    // It does not try again.
    const before = pooler.connections
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(pooler.connections).toBe(before)
    await peer.transport.close()
    await pooler.close()
  })

  test('[LV9] by way of PgBouncer in transaction mode a journal works, and is told what others write if `live` is the address of the server', async () => {
    const bouncer = await startPgBouncer(server.url())
    const peer = new Peer(await postgresTransport(bouncer.through(server.url())))
    await expect.poll(() => peer.counts).toEqual({ connected: 0, lost: 1 })
    expect(String(peer.lastError)).toContain('a pooler that does not support LISTEN')
    await peer.transport.close()
    const options = { live: server.url(), schema: newSchema() }
    const open = () => openJournal(bouncer.through(server.url()), options)
    const [writer, reader] = [await open(), await open()]
    const stopping = new AbortController()
    const seen: string[] = []
    const watching = (async () => {
      for await (const { kind } of reader.thread('t').watch({ signal: stopping.signal })) seen.push(kind)
    })()
    await writer.thread('t').submit('Hello')
    await expect.poll(() => seen).toEqual(['input-submit'])
    stopping.abort()
    await watching
    for (const journal of [writer, reader]) await journal.close()
    await bouncer.stop()
  })

  test('[LV9] a pooler in session mode carries everything', async () => {
    const pooler = await startPooler(server, { mode: 'session' })
    const [writer, reader] = [await connect(pooler.url), await connect(pooler.url)]
    await reader.transport.subscribe('a')
    writer.transport.publish('a', 'through')
    await expect.poll(() => reader.texts('a')).toEqual(['through'])
    for (const { transport } of [writer, reader]) await transport.close()
    await pooler.close()
  })

  test.each(['a connection string', 'a pool', 'shards'])('openJournal(..., { live: true }) on %s', async kind => {
    const schema = newSchema()
    const pools: pg.Pool[] = []
    const location = () => {
      if (kind === 'a connection string') return server.url()
      const pool = new pg.Pool({ connectionString: server.url(), max: 2 })
      pools.push(pool)
      return kind === 'a pool' ? { pool } : { shards: [{ pool }] }
    }
    const [writer, reader] = [
      await openJournal(location(), { live: true, schema }),
      await openJournal(location(), { live: true, schema }),
    ]
    const [thread, other] = [writer.thread('t', { for: 'openai' }), reader.thread('t', { for: 'openai' })]
    const words: string[] = []
    const stopping = new AbortController()
    const reading = (async () => {
      for await (const item of other.watch({ live: true, signal: stopping.signal })) {
        if (item.kind === 'delta' && item.delta.kind === 'text') words.push(item.delta.text)
        if (item.kind === 'turn-end') return
      }
    })()
    await thread.submit('Hello')
    const model = async function* () {
      yield chunk('first ')
      // Goes on when the first word was read elsewhere.
      await expect.poll(() => words.join('')).toBe('first ')
      yield chunk('second')
      yield lastChunk
    }
    await run(thread, { model })
    await reading
    expect(words.join('')).toBe('first second')
    for (const journal of [writer, reader]) await journal.close()
    for (const pool of pools) await pool.end()
  })

  test('needs a pool of pg', async () => {
    const pool = { query: async () => ({ rows: [] }) }
    await expect(openJournal({ pool }, { live: true })).rejects.toMatchObject({ code: 'wrong-option' })
  })
})
