import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { birthShard } from '../../src/journal/stores/shards/keys.ts'
import { homeOf } from '../../src/journal/stores/shards/layout.ts'
import { openShards } from '../../src/journal/stores/shards/open-shards.ts'
import { type PgBouncer, startPgBouncer } from '../journal/stores/pgbouncer.ts'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { makeDatabases } from '../journal/stores/shard-databases.ts'
import { programFile } from '../programs.ts'
import { expectSound } from './evidence.ts'
import { Site } from './harness.ts'
import { figuresOf, loadThrough } from './postgres-load.ts'

/** Grows a list from one shard to three under load, while the process that moves threads is killed so many times. With `pooled`, all use PgBouncer. */
export function checkRebalances(kills: number, pooled = false): void {
  let server: Server
  let pooler: PgBouncer | undefined
  let urls: string[] = []
  const schema = 'kill_shards'
  const open = () => openShards(urls, { schema, connections: 2, busyMs: 60_000 })
  const site = new Site(() => ({ where: { shards: urls, schema }, open }))
  beforeAll(async () => {
    server = await startServer()
    urls = await makeDatabases(server, 3)
    if (pooled) {
      pooler = await startPgBouncer(server.url())
      urls = urls.map(pooler.through)
    }
    const single = await openShards(urls.slice(0, 1), { schema })
    await single.close()
    await site.warmUp()
  })
  afterAll(async () => {
    site.remove()
    for (const pool of pools.values()) await pool.end()
    pools.clear()
    await pooler?.stop()
    await server.stop()
  })

  const title = pooled ? '[B631] behind PgBouncer in transaction mode,' : '[B630]'
  test(`${title} threads are moved to new shards under load, by processes of which ${kills} are killed: nothing is lost, nothing is done twice, all arrive`, async () => {
    await using harness = site.harness()
    const found = { killed: 0, midway: 0 }
    const entries = await loadThrough(harness, {
      times: kills,
      threads: Math.max(24, kills * 4),
      cause: async () => {
        const before = await onTheirWay(urls, schema)
        const mover = move(urls, schema)
        const ended = once(mover, 'exit')
        const isAlive = (): boolean => mover.exitCode === null
        // Somewhere in a move, or between two.
        while (isAlive() && (await onTheirWay(urls, schema)).every(move => before.includes(move))) await sleep(2)
        await Promise.race([ended, sleep(Math.random() * 60)])
        if (isAlive() && mover.kill('SIGKILL')) found.killed++
        await ended
        if ((await onTheirWay(urls, schema)).some(move => !before.includes(move))) found.midway++
      },
    })
    const mover = move(urls, schema)
    const [code] = await once(mover, 'exit')
    expect(code).toBe(0)
    await expectSound(harness, true)
    const store = await open()
    const rows = await store.list(0, 1_000)
    const homes = rows.map(({ name }) => homeOf(name, 3))
    expect(store.layout.settled).toBe(3)
    await store.close()
    const sql = `SELECT count(*)::int AS count FROM "${schema}".antiphon_thread WHERE state <> 'erased'`
    const inShards = await Promise.all(urls.map(async url => (await rowsOf(url, sql))[0]?.count))
    expect(inShards).toEqual([1, 2, 3].map(number => homes.filter(home => home === number).length))
    const moved = rows.filter((row, index) => birthShard(row.thread) !== homes[index]).length
    expect(moved).toBeGreaterThan(0)
    console.info(
      `${found.killed} movers killed, ${found.midway} midway in a move, ${moved} of ${rows.length} threads moved, ${figuresOf(harness, entries)}`,
    )
  })
}

const move = (urls: readonly string[], schema: string) =>
  spawn(process.execPath, [programFile('antiphon'), 'rebalance', ...urls, '--schema', schema, '--wait', '120'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** Each move that has begun and is not complete, on both sides. */
async function onTheirWay(urls: readonly string[], schema: string): Promise<unknown[]> {
  const sql = `SELECT owner FROM "${schema}".antiphon_thread WHERE state = 'erased' AND owner ~ '^(moving|arriving) '`
  return (await Promise.all(urls.map(url => rowsOf(url, sql)))).flat().map(({ owner }) => owner)
}

const pools = new Map<string, pg.Pool>()

async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  const pool = pools.get(url) ?? newPool(url)
  return (await pool.query(text)).rows
}

function newPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // The server may go before a connection has heard that it is closed.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  pools.set(url, pool)
  return pool
}
