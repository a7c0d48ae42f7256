import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseThread } from '../../../src/journal/erasure/erase-thread.ts'
import { type Nameable, prepared, type Queryable } from '../../../src/journal/stores/postgres/connect.ts'
import { due, read as readStatement } from '../../../src/journal/stores/postgres/statements.ts'
import { openPostgres, type PostgresStore } from '../../../src/journal/stores/postgres/store.ts'
import type { Write } from '../../../src/journal/stores/store.ts'
import { read } from '../../repository.ts'
import { admit, endTurn, everyKind, respond, settle, start, submit } from '../sample-entries.ts'
import { range, seqs, whys } from './contract/fixture.ts'
import { checkStore } from './contract.ts'
import { checkLockStep } from './lock-step.ts'
import { expectSound, type Journal, newSchema, openJournal, type Where } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { startWire } from './postgres-wire.ts'

let server: Server
/** As behind a pooler that hands out connections by the transaction: a statement goes to any of four. */
const pools: pg.Pool[] = []
const pooled: Queryable = { query: (text, values) => pools[Math.floor(Math.random() * 4)].query(text, values) }

beforeAll(async () => {
  server = await startServer()
  for (const _ of range(1, 4)) pools.push(new pg.Pool({ connectionString: server.url(), max: 1 }))
  for (const pool of pools) pool.on('error', () => {})
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await server.stop()
})

checkStore('postgres', () => openSound(), { crowd: 30, runs: 25 })

/** A journal whose tables must agree with each other when a test is over. */
async function openSound(where?: Where): Promise<Journal> {
  const journal = await openJournal(server, where)
  return { ...journal, close: () => expectSound(journal).finally(journal.close) }
}

describe('a transition', () => {
  test.each<[string, Omit<Write, 'thread'>]>([
    ['input', { entries: [submit('it', 'new')], input: { key: 'new', digest: 'd' }, dueAt: 'now' }],
    ['blind input', { entries: [submit()] }],
    ['the lease', { entries: [admit(1)], head: 1, lease: { owner: 'a', ms: 1_000 }, state: 'running' }],
    ['a response with calls', { entries: [admit(1), respond(3)], head: 1 }],
    ['the end', { entries: [respond()], head: 1, epoch: 0, state: 'idle', dueAt: null, release: true }],
  ])('[WP1] is one round trip: %s', async (_, write) => {
    const { store, sent, thread } = await counting()
    expect((await store.write({ ...write, thread })).ok).toBe(true)
    expect(sent).toHaveLength(1)
  })

  test('[WP1] is one round trip, also for calls', async () => {
    const { store, sent, thread } = await counting()
    await store.write({ thread, entries: [respond(2)], head: 1 })
    await store.write({ thread, entries: [start(2), start(2, 1)], head: 2 })
    await store.write({ thread, entries: [settle(2), settle(2, 1), admit(1)], head: 4 })
    expect(sent).toHaveLength(3)
  })

  test('[WP1] says in a second one why it was refused', async () => {
    const { store, sent, thread } = await counting()
    expect(await store.write({ thread, entries: [settle(9)], head: 1 })).toMatchObject({ why: 'settled' })
    expect(sent).toHaveLength(2)
  })

  test('[WP2] leaves nothing in a session, unless statements are to be prepared', async () => {
    const wire = await startWire(server.port)
    const journal = await openJournal(server)
    for (const prepare of [false, true]) {
      const store = await journal.reopen(server.url(wire.port), { prepare, connections: 1 })
      const { thread } = await store.open(`prepared: ${prepare}`)
      const before = wire.count('WITH turned AS')
      for (const head of range(0, 4)) await store.write({ thread, entries: [submit()], head })
      expect(wire.count('WITH turned AS') - before).toBe(prepare ? 1 : 5)
    }
    const before = wire.count('due_at <=')
    const store = await journal.reopen(server.url(wire.port), { connections: 1 })
    for (const _ of range(1, 5)) await store.due(1)
    expect(wire.count('due_at <=') - before).toBe(5)
    await journal.close()
    await wire.close()
  })

  test('[WP2] does without names where a pooler loses them, or has them twice', async () => {
    for (const spoil of ['DEALLOCATE ALL', 'PREPARE']) {
      const names = new Map<string, string>()
      const asked: boolean[] = []
      const pool = new pg.Pool({ connectionString: server.url(), max: 1 })
      const query: Nameable['query'] = async statement => {
        const { name, text } = statement
        asked.push(name !== undefined)
        // As if the statement before had gone to another connection than this one.
        if (names.size > 2 && name !== undefined && names.has(name) === (spoil === 'DEALLOCATE ALL'))
          await pool.query(spoil === 'PREPARE' ? `PREPARE "${name}" AS ${text}` : spoil)
        if (name !== undefined) names.set(name, text)
        return pool.query(statement)
      }
      const named = prepared({ query })
      const { store, close } = await openSound({
        pool: { query: (text, values) => (text.startsWith('WITH turned') ? named : pool).query(text, values) },
      })
      const { thread } = await store.open('t')
      for (const turn of range(1, 5)) await takeTurn(store, thread, `${turn}`, () => 'words')
      expect(await store.get(thread)).toMatchObject({ head: 5 * 13 })
      expect(asked.slice(0, 3)).not.toContain(false)
      expect(asked.slice(-20)).not.toContain(true)
      await close()
      await pool.end()
    }
  })

  test('[WP2] a statement name means one text, whichever store gives it', async () => {
    const texts = new Map<string, string>()
    const query: Nameable['query'] = async ({ name = '', text }) => {
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
      return { rows: [] }
    }
    const stores = [prepared({ query }), prepared({ query })]
    for (const index of range(0, 9)) await stores[index % 2].query(`SELECT ${index}`, [])
    for (const index of range(0, 9)) await stores[(index + 1) % 2].query(`SELECT ${index}`, [])
    expect(texts.size).toBe(10)
  })

  test.each([
    ['26000', true],
    ['42P05', true],
    ['0A000', true],
    ['42601', false],
    ['ECONNRESET', false],
  ])('[WP2] the code %s of a named statement has it sent again without a name: %s', async (code, again) => {
    const names: unknown[] = []
    const query: Nameable['query'] = async ({ name }) => {
      names.push(name)
      if (name === undefined) return { rows: [] }
      throw Object.assign(new Error('prepared statement, cached plan'), { code })
    }
    const sent = prepared({ query }).query('SELECT 1', [])
    if (again) expect(await sent).toEqual({ rows: [] })
    else await expect(sent).rejects.toMatchObject({ code })
    expect(names).toEqual([expect.any(String), ...(again ? [undefined] : [])])
  })

  test('[WP2] can be sent over any connection, as through a pooler', async () => {
    const journal = await openSound({ pool: pooled })
    const turns = range(1, 12).map(async index => {
      const { thread } = await journal.store.open(`t${index}`)
      for (const turn of range(1, 5)) await takeTurn(journal.store, thread, `${turn}`, () => 'words')
      return (await journal.store.get(thread)).head
    })
    expect(new Set(await Promise.all(turns))).toEqual(new Set([5 * 13]))
    await checkLockStep(journal.store, 25)
    await journal.close()
  })
})

/** A store that tells which statements it sends, and a thread with one entry. */
async function counting(): Promise<{ store: PostgresStore; sent: string[]; thread: number }> {
  const sent: string[] = []
  const query: Queryable['query'] = (text, values) => {
    sent.push(text)
    return pools[0].query(text, values)
  }
  const { store } = await openJournal(server, { pool: { query } })
  const { thread } = await store.open('t')
  await store.write({ thread, entries: [submit()] })
  sent.length = 0
  return { store, sent, thread }
}

describe.each(['read committed', 'repeatable read', 'serializable'])('many at once, %s', level => {
  const url = () =>
    `${server.url()}?options=${encodeURIComponent(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`)}`

  test('[WP3] fifty submissions of one key by two pools are one', async () => {
    const journal = await openJournal(server, url())
    const stores = [journal.store, await journal.reopen()]
    expect(await journal.store.open('t')).toMatchObject({ thread: 1 })
    const input = { key: 'key', digest: 'd' }
    const written = await Promise.all(
      range(1, 50).map(index => stores[index % 2].write({ thread: 1, entries: [submit(index, 'key')], input })),
    )
    expect(whys(written)).toEqual(Array.from({ length: 49 }, () => 'known'))
    expect(await journal.store.read(1, 0)).toHaveLength(1)
    await expectSound(journal)
    await journal.close()
  })

  test('[WP3] a call is settled once, whether its settlers look at the head or not', async () => {
    const journal = await openJournal(server, url())
    const stores = [journal.store, await journal.reopen()]
    const { thread } = await journal.store.open('t')
    await journal.store.write({ thread, entries: [respond(2)] })
    for (const [index, head] of [undefined, 2].entries()) {
      const write = { thread, entries: [settle(1, index)], ...(head !== undefined && { head }) }
      const written = await Promise.all(range(1, 20).map(writer => stores[writer % 2].write(write)))
      expect(whys(written)).toEqual(Array.from({ length: 19 }, () => (head === undefined ? 'settled' : 'moved')))
    }
    expect((await journal.store.read(thread, 0)).map(({ kind }) => kind)).toEqual([
      ...['response-record', 'call-settle', 'call-settle'],
    ])
    await expectSound(journal)
    await journal.close()
  })

  test('[WP3] no message is added while a call is open, whichever write comes first', async () => {
    const journal = await openJournal(server, url())
    const { thread } = await journal.store.open('t')
    await Promise.all(
      range(1, 12).map(index => journal.store.write({ thread, entries: index % 3 ? [admit(1)] : [respond(1)] })),
    )
    const kinds = (await journal.store.read(thread, 0)).map(({ kind }) => kind)
    expect(kinds.indexOf('response-record')).toBe(kinds.length - 1)
    await expectSound(journal)
    await journal.close()
  })
})

describe('a page of entries', () => {
  test.each([
    ['a few large ones', range(1, 8).map(() => 3_000_000), [3, 3, 2]],
    ['some that are neither large nor small', range(1, 30).map(() => 500_000), [17, 13]],
    ['one that is large among small ones', [10, 10, 20_000_000, 10, 10], [3, 2]],
    ['large ones, each behind a small one', range(1, 8).map(index => (index % 2 ? 10 : 5_000_000)), [4, 4]],
    ['small ones', range(1, 20).map(() => 1_000), [20]],
  ])('[WP28] is bounded in bytes: %s', async (_, sizes, counts) => {
    const { store, sent } = await counting()
    const { thread } = await store.open('large')
    for (const size of sizes) await store.write({ thread, entries: [submit('x'.repeat(size))] })
    const pages: number[] = []
    const found: number[] = []
    for (;;) {
      sent.length = 0
      const page = await store.read(thread, found.length, 500)
      if (page.length === 0) break
      expect(sent.length).toBeLessThanOrEqual(Math.max(...sizes) > 16_000 ? 2 : 1)
      pages.push(page.length)
      found.push(...page.map(entry => (entry as { content: string }).content.length))
    }
    expect(found).toEqual(sizes)
    expect(pages).toEqual(counts)
  })
})

describe('opened to look', () => {
  test('[WP20] it creates no tables, and reports what it found instead of a journal', async () => {
    const schema = newSchema()
    const refused = openPostgres(server.url(), { schema, readOnly: true })
    await expect(refused).rejects.toMatchObject({ code: 'journal-damaged', hint: expect.any(String) })
    await expect(refused).rejects.toThrow(/^PostgreSQL at 127.0.0.1:\d+\/postgres has no journal$/)
    expect(await server.sql('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([])
    const journal = await openJournal(server)
    for (const [version, code] of Object.entries({ '-1': 'older-journal', 99: 'newer-journal' })) {
      await journal.sql(`UPDATE antiphon_migration SET version = ${version}`)
      await expect(journal.reopen(server.url(), { readOnly: true })).rejects.toMatchObject({
        ...{ code, hint: expect.any(String), data: { version: Number(version), latest: 1 } },
      })
    }
    await journal.close()
  })

  test('[WP20] it reads, also from a standby, and writes nothing', async () => {
    const journal = await openSound()
    const { thread } = await journal.store.open('t')
    await journal.store.write({ thread, entries: [submit()], lease: { owner: 'a', ms: 60_000 } })
    const before = await journal.store.get(thread)
    const standby = `${server.url()}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    for (const url of [standby, server.url()]) {
      const store = await journal.reopen(url, { readOnly: true })
      expect(await store.open('t')).toEqual(before)
      expect(await store.list(0, 10)).toEqual([before])
      expect(await store.read(thread, 0)).toEqual(await journal.store.read(thread, 0))
      const changes = [
        () => store.open('new'),
        () => store.write({ thread, entries: [submit()] }),
        () => store.renew(thread, 1, 1_000),
      ]
      for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'journal-read-only' })
    }
    expect(await journal.store.list(0, 10)).toEqual([before])
    await journal.close()
  })
})

describe('processes', () => {
  test('[WP4] several open a journal that is not there yet, and write to one thread', async () => {
    const journal = { ...(await openJournal(server)), schema: newSchema() }
    const answers = await Promise.all(
      range(1, 3).map(writer => child('./postgres-writer.ts', journal.schema, writer, 25)),
    )
    const taken = answers.flat().toSorted()
    expect(taken).toEqual(
      range(0, 24)
        .map(index => `key ${index}`)
        .toSorted(),
    )
    const store = await openPostgres(server.url(), { schema: journal.schema })
    const entries = await store.read(1, 0)
    expect(seqs(entries)).toEqual(range(1, 100))
    const contents = new Set(entries.map(entry => ('key' in entry ? entry.key : 'content' in entry && entry.content)))
    expect(contents.size).toBe(100)
    await store.close()
    await journal.close()
  })

  test('[WP5] if the package pg is missing, the error says how to install it', async () => {
    expect(await child('./postgres-without-pg.ts')).toEqual({
      code: 'missing-package',
      message: 'a journal in PostgreSQL needs the package pg, which is not installed',
      hint: 'run: npm install pg',
    })
  })

  async function child(file: string, ...args: unknown[]): Promise<string[]> {
    const process = fork(fileURLToPath(import.meta.resolve(file)), [server.url(), ...args.map(String)], {
      execArgv: [],
    })
    const [[answer]] = await Promise.all([once(process, 'message'), once(process, 'exit')])
    return answer
  }
})

describe('tables', () => {
  test('[WP4] are made once, by however many at once', async () => {
    const schema = newSchema()
    const stores = await Promise.all(range(1, 8).map(() => openPostgres(server.url(), { schema, connections: 1 })))
    const rows = await Promise.all(stores.map(store => store.open('t')))
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(1)
    for (const store of stores) await store.close()
  })

  test('[WP6] of a newer version are left alone', async () => {
    const journal = await openJournal(server)
    await journal.sql('INSERT INTO antiphon_migration (version, at) VALUES (99, 0)')
    const refused = journal.reopen()
    await expect(refused).rejects.toMatchObject({ code: 'newer-journal', hint: expect.stringContaining('update') })
    await expect(refused).rejects.toThrow(/^PostgreSQL at 127.0.0.1:\d+\/postgres: the journal has version 99/)
    await journal.close()
  })

  test('[W91] have each entry with the version of its kind', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    await journal.store.write({ thread, entries: [submit(), everyKind['rejection-learn'], endTurn] })
    const kinds = (await journal.store.read(thread, 0)).map(({ kind }) => kind)
    expect(kinds).toEqual(['input-submit', 'rejection-learn', 'turn-end'])
    const stored = await journal.sql('SELECT version FROM antiphon_entry ORDER BY seq')
    expect(stored.map(({ version }) => Number(version))).toEqual([1, 2, 1])
    await journal.close()
  })

  test('[WP6] have entries of a newer version only for newer programs', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    await journal.store.write({ thread, entries: [submit()] })
    await journal.sql('UPDATE antiphon_entry SET version = 99')
    await expect(journal.store.read(thread, 0)).rejects.toMatchObject({ code: 'newer-journal' })
    await journal.close()
  })

  test('[WP7] take any name, any key and any owner', async () => {
    const journal = await openJournal(server)
    const texts = [
      '\0',
      'a\0b',
      '\ud800',
      '\udfff',
      '\\u0000',
      '\\',
      '\\\\',
      '\\!1',
      'ab'.repeat(50_000),
      'é'.repeat(5_000),
    ]
    for (const text of texts) {
      const { thread, name } = await journal.store.open(text)
      expect(name === text).toBe(true)
      const input = { key: text, digest: text }
      for (const key of texts)
        await journal.store.write({ thread, entries: [submit()], input: { key, digest: key }, release: true })
      const again = await journal.store.write({ thread, entries: [submit()], input })
      expect(again).toMatchObject({ ok: false, why: 'known', known: { digest: text, seq: texts.indexOf(text) + 1 } })
      await journal.store.write({ thread, entries: [], lease: { owner: text, ms: 0 } })
      expect(await journal.store.find(text)).toMatchObject({ thread, head: texts.length, owner: text })
    }
    expect(await journal.store.list(0, 100)).toHaveLength(texts.length)
    await journal.close()
  })

  test('[WP9] lose a thread as a whole, by the statements of docs/postgres.md', async () => {
    const journal = await openJournal(server)
    const [gone, kept] = [await journal.store.open('gone'), await journal.store.open('kept')]
    for (const { thread } of [gone, kept]) await takeTurn(journal.store, thread, 'key', () => 'words')
    for (const { thread } of [gone, kept]) await journal.store.write({ thread, entries: [respond(2)] })
    const before = await journal.store.read(kept.thread, 0)
    const statements = read('docs/postgres.md')?.match(/^DELETE FROM .*$/gm) ?? []
    expect(statements).toHaveLength(5)
    for (const statement of statements) await journal.sql(statement.replace('$1', `${gone.thread}`))
    await expect(journal.store.read(gone.thread, 0)).rejects.toMatchObject({ code: 'unknown-thread' })
    expect(await journal.store.open('gone')).toMatchObject({ head: 0, openCalls: 0 })
    expect(await journal.store.read(kept.thread, 0)).toEqual(before)
    for (const table of ['name', 'thread', 'entry', 'input', 'open_call'])
      expect(await journal.sql(`SELECT 1 FROM antiphon_${table} WHERE thread = ${gone.thread}`)).toEqual([])
    await journal.close()
  })

  test('[WP30] hold nothing of an erased thread, whatever was written to it', async () => {
    const journal = await openJournal(server)
    const secret = 'the secret words'
    const long = `${secret} ${'at length '.repeat(200)}`
    const rows = [await journal.store.open(secret), await journal.store.open(long), await journal.store.open('kept')]
    for (const { thread } of rows) {
      await takeTurn(journal.store, thread, `key of ${secret}`, () => secret)
      await journal.store.write({ thread, entries: [respond(2)], lease: { owner: secret, ms: 60_000 } })
      await journal.store.write({ thread, entries: [submit('x'.repeat(100_000) + secret)] })
    }
    const tables = ['name', 'thread', 'entry', 'input', 'open_call']
    const found = async (): Promise<string[]> => {
      const all = await Promise.all(tables.map(table => journal.sql(`SELECT * FROM antiphon_${table}`)))
      return tables.filter((_, index) => JSON.stringify(all[index]).includes('secret'))
    }
    expect(await found()).toEqual(['name', 'thread', 'entry', 'input'])
    for (const { thread } of rows) expect(await eraseThread(journal.store, thread, { limit: 3 })).toBe(true)
    expect(await found()).toEqual([])
    for (const name of [secret, long])
      await expect(journal.store.open(name)).rejects.toMatchObject({ code: 'thread-erased' })
    expect(await journal.sql('SELECT 1 FROM antiphon_name')).toHaveLength(3)
    await journal.close()
  })

  test('[WP30] hold nothing of a thread whose erasure broke off at any statement', async () => {
    const journal = await openJournal(server)
    for (let left = 0, isDone = false; !isDone; left++) {
      const name = `breaks after ${left}`
      const { thread } = await journal.store.open(name)
      await takeTurn(journal.store, thread, 'key', () => 'words')
      let statements = left
      const query: Queryable['query'] = (text, values) => {
        if (/UPDATE|INSERT|DELETE/.test(text) && statements-- <= 0) return Promise.reject(new Error('broken off'))
        return pools[0].query(text, values)
      }
      const breaking = await journal.reopen({ pool: { query } })
      isDone = await eraseThread(breaking, thread, { limit: 5 }).catch(() => false)
      if (left > 0) {
        await expect(journal.store.open(name)).rejects.toMatchObject({ code: 'thread-erased' })
        await expect(journal.store.read(thread, 0)).rejects.toMatchObject({ code: 'thread-erased' })
      }
      expect(await eraseThread(journal.store, thread)).toBe(true)
      await expect(journal.store.open(name)).rejects.toMatchObject({ code: 'thread-erased' })
      expect(await journal.store.list(0, 10)).toEqual([])
      for (const table of ['entry', 'input', 'open_call'])
        expect(await journal.sql(`SELECT 1 FROM antiphon_${table}`)).toEqual([])
    }
    await journal.close()
  })

  test('[WP23] a thread that is removed while another process opens it exists once', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    let removed = false
    const query: Queryable['query'] = async (text, values) => {
      const answer = await pools[0].query(text, values)
      if (!removed && text.startsWith('SELECT thread FROM')) {
        removed = true
        for (const table of ['name', 'thread'])
          await journal.sql(`DELETE FROM antiphon_${table} WHERE thread = ${thread}`)
      }
      return answer
    }
    const store = await journal.reopen({ pool: { query } })
    const opened = await store.open('t')
    expect(opened).toEqual(await journal.store.open('t'))
    expect(await journal.store.list(0, 10)).toEqual([opened])
    await journal.close()
  })

  test('[WP24] are in a schema whose name PostgreSQL does not cut off', async () => {
    const schema = `é${newSchema()}`.padEnd(62, 'x')
    expect(Buffer.byteLength(schema)).toBe(63)
    await (await openPostgres(server.url(), { schema })).close()
    for (const bad of [`${schema}y`, '', 'a\0b'])
      await expect(openPostgres(server.url(), { schema: bad })).rejects.toMatchObject({
        code: 'invalid-name',
        hint: expect.stringContaining('1 to 63 bytes'),
      })
  })

  test('[WP25] are asked which threads are due without a clock for each of them', async () => {
    const journal = await openJournal(server)
    const plan = await journal.sql(`EXPLAIN ${due.replace('$1', '8')}`)
    const filters = plan.map(line => String(line['QUERY PLAN'])).filter(line => line.includes('Filter:'))
    expect(filters).toEqual([expect.stringContaining('leased_until <= ')])
    expect(filters[0]).not.toContain('statement_timestamp')
    await journal.close()
  })

  test('[SE205] are asked for a page of a long thread without a look at the entries after it', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    await journal.store.write({ thread, entries: range(1, 5_000).map(() => submit()) })
    const text = [thread, 10, 20, 1_000].reduce<string>(
      (statement, value, index) => statement.replaceAll(`$${index + 1}`, String(value)),
      readStatement,
    )
    const plan = await journal.sql(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`)
    const rows = plan.flatMap(line =>
      [...String(line['QUERY PLAN']).matchAll(/actual rows=(\d+)/g)].map(([, n]) => Number(n)),
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(Math.max(...rows)).toBe(20)
    expect(seqs(await journal.store.read(thread, 10, 20))).toEqual(range(11, 30))
    await journal.close()
  })

  test('[WP8] grow by less than twice the size of the content', async () => {
    const journal = await openJournal(server)
    const { thread } = await journal.store.open('t')
    let said = 0
    const words = () => {
      said += 1_024
      return Buffer.from(crypto.getRandomValues(new Uint8Array(768))).toString('base64')
    }
    const sizes: { said: number; bytes: number }[] = []
    for (const turn of range(1, 60)) {
      await takeTurn(journal.store, thread, `${turn}`, words)
      if (turn === 10 || turn === 60) sizes.push({ said, bytes: await bytesOf(journal) })
    }
    const [before, after] = sizes
    expect(after.bytes - before.bytes).toBeGreaterThan(after.said - before.said)
    expect(after.bytes - before.bytes).toBeLessThan(2 * (after.said - before.said))
    await journal.close()
  })

  async function bytesOf({ schema }: Journal): Promise<number> {
    const question = `SELECT sum(pg_total_relation_size(c.oid))::int AS bytes FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = $1`
    return Number((await server.sql(question, [schema]))[0].bytes)
  }
})

/** Six messages: input, four results of two steps and the last words. */
async function takeTurn(store: PostgresStore, thread: number, key: string, words: () => string): Promise<void> {
  let written = await store.write({ thread, entries: [submit(words(), key)], input: { key, digest: key } })
  const go = async (...entries: Write['entries']) => {
    if (!written.ok) throw new Error(written.why)
    written = await store.write({ thread, entries, head: written.head })
    return written.ok ? written.head : 0
  }
  const done = (step: number, index: number) => ({
    ...settle(step, index),
    outcome: { status: 'done', content: words() },
  })
  await go(admit(1))
  for (const _ of range(1, 2)) {
    const step = await go(respond(2))
    await go(start(step), start(step, 1))
    await go(...([done(step, 0), done(step, 1)] as Write['entries']))
  }
  await go({ ...respond(), messages: [words()] } as Write['entries'][0])
}
