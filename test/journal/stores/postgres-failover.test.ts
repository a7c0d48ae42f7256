import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FailoverPool, sessionAttrsFor } from '../../../src/journal/stores/postgres/failover.ts'
import { hostsOf, type SessionAttrs } from '../../../src/journal/stores/postgres/hosts.ts'
import { openPostgres } from '../../../src/journal/stores/postgres/store.ts'
import { submit } from '../sample-entries.ts'
import { expectSound, openJournal } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test.each([
  ['postgres://u:p@one/d', ['postgres://u:p@one/d'], undefined],
  ['postgres://u:p@one:1,two:2/d', ['postgres://u:p@one:1/d', 'postgres://u:p@two:2/d'], undefined],
  ['postgresql://one,[::1]:2?a=b', ['postgresql://one?a=b', 'postgresql://[::1]:2?a=b'], undefined],
  ['postgres://u:a,b@one/d?c=d,e', ['postgres://u:a,b@one/d?c=d,e'], undefined],
  ['postgres://one,two/d?target_session_attrs=any', ['postgres://one/d', 'postgres://two/d'], 'any'],
  [
    'postgres://one,two/d?a=b&target_session_attrs=standby',
    ['postgres://one/d?a=b', 'postgres://two/d?a=b'],
    'standby',
  ],
  [
    'postgres://one,two/d?target_session_attrs=primary&a=b',
    ['postgres://one/d?a=b', 'postgres://two/d?a=b'],
    'primary',
  ],
])('[WP31] a connection string may name several hosts: %s', (location, urls, attrs) => {
  expect(hostsOf(location)).toEqual({ urls, attrs })
})

test.each(['postgres://one,/d', 'postgres://one,two/d?target_session_attrs=best'])(
  '[WP31] one that cannot be understood is an error: %s',
  async location => {
    await expect(openPostgres(location)).rejects.toMatchObject({
      code: 'journal-unreachable',
      hint: expect.any(String),
    })
  },
)

test('[WP31] the primary is found among several hosts, and a journal that writes uses no other', async () => {
  const journal = await openJournal(server)
  const dead = 'postgres://127.0.0.1:1'
  const url = server.url().replace('@', `@${dead.slice(11)},`)
  const store = await openPostgres(url, { schema: journal.schema, warn: () => {} })
  expect(await store.open('t')).toEqual(await journal.store.open('t'))
  await store.close()
  const standby = openPostgres(`${url}?target_session_attrs=standby`, { schema: journal.schema })
  await expect(standby).rejects.toMatchObject({ code: 'journal-unreachable', hint: expect.any(String) })
  const absent = openPostgres(`${url}?target_session_attrs=standby`, {
    ...{ schema: journal.schema, readOnly: true, reconnectMs: 50 },
  })
  await expect(absent).rejects.toMatchObject({ code: 'journal-unreachable', hint: expect.any(String) })
  await journal.close()
})

test('[WP31] several hosts without a synchronous standby are warned of', async () => {
  const warnings: string[] = []
  const journal = await openJournal(server)
  const url = server.url().replace('@', '@127.0.0.1:1,')
  const store = await openPostgres(url, { schema: journal.schema, warn: text => warnings.push(text) })
  expect(warnings).toEqual([
    expect.stringMatching(
      /^PostgreSQL at 127.0.0.1:1\S* or 127.0.0.1:\d+\/postgres: synchronous_standby_names is empty: .*lose/,
    ),
  ])
  await store.close()
  await journal.close()
})

/** Servers that are nothing but their roles: a timeline, a standby, or one that is away. */
function poolOf(roles: (number | 'standby' | 'away')[], attrs: SessionAttrs, waitMs = 50) {
  const pools = roles.map((_, index) => {
    const connect = async () => {
      const role = roles[index]
      if (role === 'away') return new Promise<PoolClient>(() => {})
      const wal = typeof role === 'number' ? `${role.toString(16).padStart(8, '0')}0000000000000001` : null
      const rows = [{ standby: role === 'standby', read_only: role === 'standby' ? 'on' : 'off', wal }]
      return { index, query: async () => ({ rows }), release() {} } as unknown as PoolClient
    }
    return { connect, on() {}, end: async () => {} } as unknown as Pool
  })
  const pool = new FailoverPool(pools, attrs, waitMs)
  const connect = async () => ((await pool.connect()) as unknown as { index: number }).index
  return { pool, connect }
}

test('[WP32] of two servers that accept writes the one that was promoted last is used, and a server with an older timeline never again', async () => {
  const roles: (number | 'standby' | 'away')[] = [1, 'standby']
  const { pool, connect } = poolOf(roles, 'read-write')
  expect(await connect()).toBe(0)
  roles[1] = 2
  pool.failed()
  expect(await connect()).toBe(1)
  roles[1] = 'away'
  pool.failed()
  await expect(connect()).rejects.toMatchObject({ code: '25006' })
  roles[0] = 3
  expect(await connect()).toBe(0)
})

test('[WP32] every new connection is asked, since a server may have become a standby without notice', async () => {
  const roles: (number | 'standby')[] = [1, 'standby']
  const { connect } = poolOf(roles, 'read-write')
  expect(await connect()).toBe(0)
  roles.reverse()
  roles[1] = 2
  await expect(connect()).rejects.toMatchObject({ code: '25006' })
  expect(await connect()).toBe(1)
})

test('[SE480] a connection that breaks while its role is asked for is given back', async () => {
  const lent: boolean[] = []
  let isBroken = false
  const connect = async () => {
    const index = lent.push(true) - 1
    const query = async () => {
      if (isBroken) throw Object.assign(new Error('Connection terminated'), { code: '57P01' })
      return { rows: [{ standby: false, read_only: 'off', wal: '000000010000000000000001' }] }
    }
    return { query, release: () => lent.splice(index, 1, false) } as unknown as PoolClient
  }
  const pool = new FailoverPool([{ connect, on() {} } as unknown as Pool], 'read-write', 50)
  const first = await pool.connect()
  isBroken = true
  await expect(pool.connect()).rejects.toMatchObject({ code: '57P01' })
  first.release()
  expect(lent).toEqual([false, false, false])
})

test.each<[SessionAttrs, (number | 'standby' | 'away')[], number | undefined]>([
  ['any', ['standby', 1], 0],
  ['any', ['away', 1], 1],
  ['standby', [1, 'standby'], 1],
  ['standby', [1, 'away'], undefined],
  ['read-only', [1, 'standby'], 1],
  ['prefer-standby', [1, 'standby'], 1],
  ['prefer-standby', [1, 'away'], 0],
  ['primary', ['standby', 1], 1],
  ['read-write', ['standby', 'standby'], undefined],
])('[WP31] with target_session_attrs=%s and the servers %j number %s is read from', async (attrs, roles, index) => {
  const { connect } = poolOf(roles, sessionAttrsFor(attrs, true))
  if (index === undefined) await expect(connect()).rejects.toMatchObject({ code: '25006' })
  else expect(await connect()).toBe(index)
})

test('[WP33] what no standby has is not acknowledged, also where the primary has it', async () => {
  const journal = await openJournal(server)
  const { thread } = await journal.store.open('t')
  await server.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await server.sql('SELECT pg_reload_conf()')
  await sleep(200)
  let answered = 0
  const write = async () => {
    const input = { key: 'key', digest: 'd' }
    const answer = await journal.store.write({ thread, entries: [submit('words', 'key')], input })
    answered++
    return answer
  }
  const writes = [write()]
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  while ((await server.sql(waiting)).length === 0) await sleep(10)
  // The connection breaks, and the write becomes visible on the primary. Its repetition finds it there.
  await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
  while ((await journal.store.read(thread, 0)).length === 0) await sleep(10)
  writes.push(write())
  while (answered === 0 && (await server.sql(waiting)).length === 0) await sleep(10)
  await sleep(300)
  expect(answered).toBe(0)
  await server.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
  await server.sql('SELECT pg_reload_conf()')
  expect(await Promise.all(writes)).toMatchObject([
    { ok: true, head: 1 },
    { ok: false, why: 'known' },
  ])
  await expectSound(journal)
  await journal.close()
})
