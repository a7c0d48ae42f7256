import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Queryable } from '../../src/journal/postgres/connect.ts'
import { openPostgres } from '../../src/journal/postgres/store.ts'
import { range } from './contract/ground.ts'
import { submit } from './happenings.ts'
import { openJournal } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { startWire } from './postgres-wire.ts'

let server: Server
let client: pg.Client
beforeAll(async () => {
  server = await startServer()
  client = new pg.Client(server.url())
  client.on('error', () => {})
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

describe('errors', () => {
  const secret = 'pass:word/with@letters'

  test('[WP13] a server that is not there', async () => {
    const wire = await startWire(server.port)
    await wire.close()
    const error = await failure(openPostgres(server.url(wire.port), { reconnectMs: 60 }))
    expect(error).toMatchObject({ code: 'journal-unreachable', data: { doubtful: false } })
    expect(error.message).toBe(
      `PostgreSQL at 127.0.0.1:${wire.port}/postgres cannot be reached: connect ECONNREFUSED 127.0.0.1:${wire.port}`,
    )
  })

  test.each([
    ['a password that is wrong', () => server.url(server.port, `${secret}!`)],
    ['a database that is not there', () => `${server.url()}s`],
    ['a server without TLS', () => `${server.url()}?sslmode=verify-full`],
    ['a string that is none', () => `postgres://postgres:${secret}@:x:/`],
  ])('[WP14] no word of the password: %s', async (_, url) => {
    const error = await failure(openPostgres(url()))
    expect(error).toMatchObject({ code: 'journal-unreachable', hint: expect.any(String) })
    const all = inspect(error, { depth: 20, showHidden: true })
    for (const word of [secret, encodeURIComponent(secret)]) expect(all).not.toContain(word)
  })

  test('[WP13] a write that broke off and that no server can be asked about', async () => {
    const wire = await startWire(server.port)
    const journal = await openJournal(server)
    const store = await journal.reopen(server.url(wire.port), { reconnectMs: 60 })
    const { thread } = await store.open('t')
    wire.cut('after', 'WITH turned AS', () => new Promise(() => {}))
    const writing = failure(store.write({ thread, entries: [submit()] }))
    while (!wire.done) await new Promise(setImmediate)
    await wire.close()
    const error = await writing
    expect(error).toMatchObject({ code: 'journal-unreachable', data: { doubtful: true } })
    expect(error.hint).toContain('may be there or not')
    expect(await journal.store.read(thread, 0)).toHaveLength(1)
    await journal.close()
  })

  test('[WP13] to close does not wait for a server that is not there', async () => {
    const wire = await startWire(server.port)
    const journal = await openJournal(server)
    const store = await journal.reopen(server.url(wire.port), { reconnectMs: 600_000 })
    const { thread } = await store.open('t')
    await wire.close()
    const writing = failure(store.write({ thread, entries: [submit()] }))
    await store.close()
    expect(await writing).toMatchObject({ code: 'journal-unreachable' })
    await journal.close()
  })

  test('[WP11] connections that die while nobody uses them are no matter', async () => {
    const journal = await openJournal(server)
    const store = await journal.reopen(`${server.url()}?application_name=idle`)
    await Promise.all(range(1, 5).map(() => store.now()))
    const killed = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle'"
    expect((await server.sql(killed)).length).toBeGreaterThan(0)
    const { thread } = await store.open('t')
    expect(await store.write({ thread, entries: [submit()] })).toMatchObject({ ok: true })
    await journal.close()
  })

  test('[WP15] a thread that another process holds for too long', async () => {
    const journal = await openJournal(server)
    const impatient = `${server.url()}?options=${encodeURIComponent('-c lock_timeout=20')}`
    const store = await journal.reopen(impatient)
    const { thread } = await store.open('t')
    await client.query('BEGIN')
    await client.query(`SELECT 1 FROM "${journal.schema.replaceAll('"', '""')}".antiphon_thread FOR UPDATE`)
    expect(await failure(store.write({ thread, entries: [submit()] }))).toMatchObject({ code: 'journal-busy' })
    await client.query('ROLLBACK')
    expect(await store.write({ thread, entries: [submit()] })).toMatchObject({ ok: true, head: 1 })
    await journal.close()
  })

  test.each([
    ['53100', 'journal-full'],
    ['25006', 'journal-unreachable'],
    ['XX001', 'journal-damaged'],
    ['23505', 'journal-damaged'],
    ['40001', 'journal-busy'],
    ['57P03', 'journal-unreachable'],
  ])('[WP15] what the server says as %s is %s', async (code, expected) => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const cause = Object.assign(new Error('the server said'), { code })
    const query: Queryable['query'] = (text, values) =>
      text.includes('WITH turned') ? Promise.reject(cause) : client.query(text, values)
    const store = await journal.reopen({ pool: { query } }, { busyMs: 30, reconnectMs: 30 })
    const error = await failure(store.write({ thread, entries: [submit()] }))
    expect(error).toMatchObject({ code: expected, cause, hint: expect.any(String) })
    await journal.close()
  })

  test('[WP15] tables that are gone', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    await journal.sql('DROP TABLE antiphon_input')
    expect(await failure(journal.store.write({ thread, entries: [submit()] }))).toMatchObject({
      code: 'journal-failed',
    })
    await journal.close()
  })

  test('[WP15] a sequence of threads that was set back', async () => {
    const journal = await openJournal(server)
    await journal.store.open('one')
    await journal.sql('ALTER TABLE antiphon_name ALTER thread RESTART WITH 1')
    expect(await failure(journal.store.open('two'))).toMatchObject({ code: 'journal-damaged' })
    await journal.close()
  })

  test('[WP15] a write with more entries than a statement takes', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const entries = Array.from({ length: 40_000 }, () => submit())
    expect(await failure(journal.store.write({ thread, entries }))).toMatchObject({ code: 'bad-write' })
    expect(await journal.store.look(thread)).toMatchObject({ head: 0 })
    await journal.close()
  })

  test('[WP16] a server that does not keep what it acknowledges is warned of, and no other', async () => {
    const journal = await openJournal(server)
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    await journal.reopen(server.url(), { warn })
    expect(warnings).toEqual([])
    await journal.reopen(`${server.url()}?options=${encodeURIComponent('-c synchronous_commit=off')}`, { warn })
    expect(warnings).toEqual([expect.stringContaining('synchronous_commit is off')])
    await journal.close()
  })

  async function failure(promise: Promise<unknown>): Promise<Error & { hint?: string }> {
    const answer = await promise.then(
      value => new Error(`nothing failed: ${JSON.stringify(value)}`),
      error => error,
    )
    return answer
  }
})
