import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import { openStore } from '../../../src/journal/stores/open-store.ts'
import type { Queryable } from '../../../src/journal/stores/postgres/connect.ts'
import { openPostgres } from '../../../src/journal/stores/postgres/store.ts'
import { submit } from '../sample-entries.ts'
import { range } from './contract/fixture.ts'
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

/** A trigger whose error quotes the new row. */
const raising = (using: string): string =>
  `CREATE FUNCTION antiphon_quote() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION 'rejected: %', NEW.data USING ${using}; END $$;
   CREATE TRIGGER quote BEFORE INSERT ON antiphon_entry FOR EACH ROW EXECUTE FUNCTION antiphon_quote()`

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
    ['a slash that is not escaped', () => `postgres://127.0.0.1:1/${secret}@127.0.0.1/postgres`],
    ['a question mark that is not escaped', () => `postgres://127.0.0.1:1?${secret}@127.0.0.1/postgres`],
    ['no password', () => server.url(server.port, '')],
    ['a certificate that is not there', () => `${server.url()}?sslrootcert=/not/there.pem`],
  ])('[WP14] no part of the password: %s', async (_, url) => {
    const error = await failure(openPostgres(url(), { reconnectMs: 60 }))
    expect(error).toMatchObject({ code: 'journal-unreachable', hint: expect.any(String) })
    expectNoSecret(error)
  })

  test('[WP14] no part of the password: an unknown kind of store', async () => {
    for (const where of [`host=a password=${secret}`, `${secret}@host`, `mysql://a:${secret}@host`, `S3:${secret}`]) {
      const error = await failure(openStore(where))
      expect(error).toMatchObject({ code: 'unknown-store', hint: expect.any(String) })
      expectNoSecret(error)
    }
    expect((await failure(openStore('MySQL://host'))).message).toBe('unknown journal location "MySQL:"')
    const store = await openStore(server.url().replace('postgres', 'Postgres'), { readOnly: true }).catch(
      error => error,
    )
    expect(store).toMatchObject({ message: expect.stringContaining('has no journal') })
  })

  test('[WP15] a file that the connection string names is named', async () => {
    const error = await failure(openPostgres(`${server.url()}?sslrootcert=/not/there.pem`))
    expect(error.message).toContain("'/not/there.pem'")
  })

  test('[WP29] a statement that the server ends because of statement_timeout is reported as such', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const hasty = await journal.reopen(`${server.url()}?options=-c%20statement_timeout%3D100`, { busyMs: 50 })
    // The row is held by somebody who writes nothing to the thread.
    await client.query('BEGIN')
    await client.query(`SELECT 1 FROM "${journal.schema.replaceAll('"', '""')}".antiphon_thread FOR UPDATE`)
    const error = await failure(hasty.write({ thread, entries: [submit()] }))
    await client.query('ROLLBACK')
    expect(error).toMatchObject({ code: 'journal-busy', hint: expect.stringContaining('raise statement_timeout') })
    expect(error.message).toMatch(/: the server cancelled a statement, because of its statement_timeout/)
    expect(await hasty.read(thread, 0)).toEqual([])
    await journal.close()
  })

  test.each([
    ...['25006', '40001', '42501', '53100', '55P03', '57014', 'XX000', 'XX001'].map(code => ({ code })),
    { message: 'nobody knows' },
    new AntiphonError('unknown-thread', 'removed meanwhile', { hint: 'Nothing was stored.' }),
  ])('[WP18] after a lost answer, no error claims that nothing was stored: %o', async second => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const cause = second instanceof Error ? second : Object.assign(new Error('the server said'), second)
    let tries = 0
    const query: Queryable['query'] = async (text, values) => {
      const write = text.includes('WITH turned')
      if (write && tries++ > 0) throw cause
      const answer = await client.query(text, values)
      if (write) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      return answer
    }
    const store = await journal.reopen({ pool: { query } }, { busyMs: 30, reconnectMs: 30 })
    const error = await failure(store.write({ thread, entries: [submit()] }))
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(journal-|unknown-thread)/),
      data: { doubtful: true },
      cause,
    })
    expect(error.hint).toContain('may or may not be stored')
    expect(await store.read(thread, 0)).toHaveLength(1)
    await journal.close()
  })

  test.each<[string, object]>([
    ['takes no writes until it is the primary one', { code: '25006' }],
    ['has no socket', { code: 'ENOENT', syscall: 'connect' }],
    ['has no socket, and no folder for it', { code: 'ENOTDIR', syscall: 'connect' }],
    ['cannot be reached at any of its addresses', { code: 'ETIMEDOUT', errors: [{ syscall: 'connect' }] }],
    ['has no file handle left on this side', { code: 'EMFILE', syscall: 'socket' }],
    ['has no port left on this side', { code: 'EADDRNOTAVAIL' }],
  ])('[WP19] a server is waited for that %s', async (_, parts) => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    let fails = 3
    const query: Queryable['query'] = (text, values) => {
      if (!text.includes('WITH turned') || --fails < 0) return client.query(text, values)
      return Promise.reject(Object.assign(new Error('not now'), parts))
    }
    const store = await journal.reopen({ pool: { query } }, { reconnectMs: 10_000 })
    expect(await store.write({ thread, entries: [submit()] })).toMatchObject({ ok: true, head: 1 })
    fails = Number.POSITIVE_INFINITY
    const impatient = await journal.reopen({ pool: { query } }, { reconnectMs: 30 })
    const error = await failure(impatient.write({ thread, entries: [submit()] }))
    expect(error).toMatchObject({ code: 'journal-unreachable' })
    expect(error.data?.doubtful ?? false).toBe(false)
    await journal.close()
  })

  test('[WP21] a thread that is locked does not hold up the others', async () => {
    const journal = await openJournal(server)
    const store = await journal.reopen(server.url(), { connections: 3, busyMs: 100, reconnectMs: 1_000 })
    const [locked, free] = [await store.open('locked'), await store.open('free')]
    await store.write({ thread: free.thread, entries: [], lease: { owner: 'a', ms: 60_000 } })
    await client.query('BEGIN')
    const row = `"${journal.schema.replaceAll('"', '""')}".antiphon_thread WHERE thread = ${locked.thread}`
    await client.query(`SELECT 1 FROM ${row} FOR UPDATE`)
    const [first, ...others] = range(1, 6).map(() => store.write({ thread: locked.thread, entries: [submit()] }))
    // At once, since they may fail before anything below is done.
    const failures = others.map(other => failure(other))
    expect(await store.write({ thread: free.thread, entries: [submit()] })).toMatchObject({ ok: true })
    expect(await store.renew(free.thread, 1, 60_000)).toBe(true)
    for (const failed of failures) {
      const error = await failed
      expect(error).toMatchObject({ code: 'journal-busy', hint: expect.stringContaining('nothing of this write') })
      expect(error.data).toEqual({})
    }
    await client.query('ROLLBACK')
    expect(await first).toMatchObject({ ok: true, head: 1 })
    await journal.close()
  })

  test('[WP27] busy threads that are locked hold up no question, no renewal and no other thread', async () => {
    const journal = await openJournal(server)
    const store = await journal.reopen(server.url(), { busyMs: 400, reconnectMs: 1_000 })
    const lease = { owner: 'a', ms: 60_000 }
    const threads = await Promise.all(
      ['one', 'two', 'three', 'free'].map(async name => (await store.open(name)).thread),
    )
    for (const thread of threads) await store.write({ thread, entries: [], lease })
    const [free, ...locked] = threads.reverse()
    let isFree = true
    const busy = locked.flatMap(thread =>
      range(1, 8).map(async () => {
        while (isFree) await store.write({ thread, entries: [submit()] }).catch(() => {})
      }),
    )
    await sleep(200)
    await client.query('BEGIN')
    const tables = `"${journal.schema.replaceAll('"', '""')}".antiphon_thread`
    await client.query(`SELECT 1 FROM ${tables} WHERE thread IN (${locked}) FOR UPDATE`)
    isFree = false
    const renewing = locked.map(thread => store.renew(thread, 1, 60_000).catch(() => {}))
    await sleep(100)
    expect(await store.write({ thread: free, entries: [submit()] })).toMatchObject({ ok: true })
    expect(await store.renew(free, 1, 60_000)).toBe(true)
    expect(await store.get(locked[0])).toMatchObject({ owner: 'a' })
    expect(await store.due(5)).toEqual([])
    await client.query('ROLLBACK')
    await Promise.all([...busy, ...renewing])
    await journal.close()
  })

  test('[WP22] if no connection is free, the error says so and leaves no doubt that nothing was written', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const pool = new pg.Pool({ connectionString: server.url(), max: 1, connectionTimeoutMillis: 20 })
    const store = await journal.reopen({ pool }, { busyMs: 30 })
    const held = await pool.connect()
    const error = await failure(store.write({ thread, entries: [submit()] }))
    expect(error).toMatchObject({
      code: 'journal-busy',
      message: 'PostgreSQL: no connection was free in time',
      data: {},
    })
    expect(error.hint).toContain('nothing of this write was stored')
    held.release()
    await pool.end()
    await journal.close()
  })

  test('[WP26] an error from the server does not close the connection', async () => {
    const journal = await openJournal(server)
    const store = await journal.reopen(`${server.url()}?application_name=kept`, { connections: 1 })
    const { thread } = await store.open('t')
    const question = "SELECT pid, backend_start FROM pg_stat_activity WHERE application_name = 'kept'"
    const before = await server.sql(question)
    await journal.sql('DROP TABLE antiphon_input')
    expect(await failure(store.write({ thread, entries: [submit()] }))).toMatchObject({ code: 'journal-failed' })
    expect(await store.get(thread)).toMatchObject({ head: 0 })
    expect(await server.sql(question)).toEqual(before)
    expect(before).toHaveLength(1)
    await journal.close()
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
    expect(error.hint).toContain('may or may not be stored')
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

  test('[WP11] connections that break while idle do no harm', async () => {
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

  test.each([
    ['a constraint that fails', 'ALTER TABLE antiphon_entry ADD CHECK (length(data) < 5)', '23514'],
    ['a trigger with a state of its own', raising("ERRCODE = 'ABCDE'"), 'ABCDE'],
    ['a trigger with a detail and a hint', raising('DETAIL = NEW.data, HINT = NEW.data'), 'P0001'],
    ['a value that is not of its type', raising("ERRCODE = '22P02'"), '22P02'],
    ['a server that shuts down', raising("ERRCODE = '57P01'"), '57P01'],
  ])('[SE123] no error shows what a row or a parameter contains: %s', async (_, change, state) => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    await journal.sql(change)
    const store = await journal.reopen(server.url(), { reconnectMs: 30 })
    const error = await failure(store.write({ thread, entries: [submit('my diagnosis')] }))
    expect(error).toMatchObject({ code: expect.stringMatching(/^journal-/), cause: { code: state } })
    expect(inspect(error.cause)).toContain('my diagnosis')
    expect(error.message).toContain(`SQLSTATE ${state}`)
    expect(JSON.stringify([error.message, error.hint, error.data])).not.toContain('diagnosis')
    await journal.close()
  })

  test('[WP15] a sequence of threads that was set back', async () => {
    const journal = await openJournal(server)
    await journal.store.open('one')
    await journal.sql('ALTER TABLE antiphon_name ALTER thread RESTART WITH 1')
    expect(await failure(journal.store.open('two'))).toMatchObject({ code: 'journal-damaged' })
    await journal.close()
  })

  test('[SE204] a write with more entries than a statement has parameters is stored', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    const entries = Array.from({ length: 70_000 }, (_, index) => submit(`${index} \0 \ud800 "'\\`))
    expect(await journal.store.write({ thread, entries })).toMatchObject({ ok: true, head: 70_000 })
    expect(await journal.store.read(thread, 69_998)).toMatchObject(entries.slice(-2))
    await journal.close()
  })

  test('[WP16] a warning is given if the server’s settings can lose acknowledged writes, and no other', async () => {
    const journal = await openJournal(server)
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    await journal.reopen(server.url(), { warn })
    expect(warnings).toEqual([])
    await journal.reopen(`${server.url()}?options=${encodeURIComponent('-c synchronous_commit=off')}`, { warn })
    expect(warnings).toEqual([expect.stringContaining('synchronous_commit is off')])
    await journal.close()
  })

  function expectNoSecret(error: Error): void {
    const all = inspect(error, { depth: 20, showHidden: true })
    for (const word of [secret, encodeURIComponent(secret)]) expect(all).not.toContain(word)
  }

  async function failure(promise: Promise<unknown>): Promise<Error & Partial<Pick<AntiphonError, 'hint' | 'data'>>> {
    const answer = await promise.then(
      value => new Error(`nothing failed: ${JSON.stringify(value)}`),
      error => error,
    )
    return answer
  }
})
