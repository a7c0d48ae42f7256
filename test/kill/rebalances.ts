import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { birthShard } from '../../src/journal/stores/shards/keys.ts'
import { homeOf } from '../../src/journal/stores/shards/layout.ts'
import { openShards } from '../../src/journal/stores/shards/open-shards.ts'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { makeDatabases } from '../journal/stores/shard-databases.ts'
import { programFile } from '../programs.ts'
import { expectSound } from './evidence.ts'
import { Site } from './harness.ts'
import { loadThrough } from './postgres-load.ts'

/** Grows a list from one shard to three under load, while the process that moves threads is killed so many times. */
export function checkRebalances(kills: number): void {
  let server: Server
  let urls: string[] = []
  const schema = 'kill_shards'
  const open = () => openShards(urls, { schema, connections: 2, busyMs: 60_000 })
  const site = new Site(() => ({ where: { shards: urls, schema }, open }))
  beforeAll(async () => {
    server = await startServer()
    urls = await makeDatabases(server, 3)
    const single = await openShards(urls.slice(0, 1), { schema })
    await single.close()
    await site.warmUp()
  })
  afterAll(async () => {
    site.remove()
    await server.stop()
  })

  test(`[B630] threads are moved to new shards under load, by processes of which ${kills} are killed: nothing is lost, nothing is done twice, all arrive`, async () => {
    await using harness = site.harness()
    let killed = 0
    let entries = 0
    const found = await loadThrough(harness, {
      times: kills,
      cause: async time => {
        const mover = move(urls, schema)
        const ended = once(mover, 'exit')
        // Later and later, so that every part of a move is met.
        await Promise.race([ended, sleep(450 + Math.random() * 60 * (time + 1))])
        if (mover.exitCode === null && mover.kill('SIGKILL')) killed++
        await ended
      },
    })
    entries = found.length
    const mover = move(urls, schema)
    const [code] = await once(mover, 'exit')
    expect(code).toBe(0)
    await expectSound(harness, true)
    const store = await open()
    const rows = await store.list(0, 1_000)
    const homes = rows.map(({ name }) => homeOf(name, 3))
    expect(store.layout.settled).toBe(3)
    await store.close()
    const inShards = await Promise.all(
      urls.map(async (_, index) => {
        const sql = `SELECT count(*)::int AS count FROM "${schema}".antiphon_thread WHERE state <> 'erased'`
        return (await rowsOf(urls[index] ?? '', sql))[0]?.count
      }),
    )
    expect(inShards).toEqual([1, 2, 3].map(number => homes.filter(home => home === number).length))
    const moved = rows.filter((row, index) => birthShard(row.thread) !== homes[index]).length
    expect(moved).toBeGreaterThan(0)
    console.info(`${killed} movers killed, ${moved} of ${rows.length} threads moved, ${entries} entries`)
  })
}

const move = (urls: readonly string[], schema: string) =>
  spawn(process.execPath, [programFile('antiphon'), 'rebalance', ...urls, '--schema', schema, '--wait', '120'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

async function rowsOf(url: string, text: string): Promise<{ count: number }[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
