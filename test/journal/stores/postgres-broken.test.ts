import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EntryData } from '../../../src/journal/entry.ts'
import type { PostgresStore } from '../../../src/journal/stores/postgres/store.ts'
import type { Write } from '../../../src/journal/stores/store.ts'
import { admit, respond, settle, start, submit } from '../sample-entries.ts'
import { range } from './contract/fixture.ts'
import { expectSound, type Journal, openJournal } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { startWire, type Wire } from './postgres-wire.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

describe('a connection that breaks', () => {
  let journal: Journal
  let wire: Wire
  let store: PostgresStore
  /** Goes to the server by itself. */
  let other: PostgresStore
  let thread: number

  beforeEach(async () => {
    wire = await startWire(server.port)
    journal = await openJournal(server)
    other = journal.store
    store = await journal.reopen(server.url(wire.port))
    thread = (await other.open('t')).thread
    await other.write({ thread, entries: [submit(), respond(2)], head: 0 })
  })
  afterEach(async () => {
    await journal.close()
    await wire.close()
  })

  test.each(writes)('[WP10] a write is done once when the server never got it: %s', async (_, write, expected) => {
    wire.cut('before', sentWrite)
    expect(await store.write({ ...write, thread })).toMatchObject({ ok: true, ...expected })
    expect(wire.done).toBe(true)
    await expectOnce(write)
  })

  test.each(writes)('[WP10] a write is done once when its answer was lost: %s', async (_, write, expected) => {
    wire.cut('after', sentWrite)
    expect(await store.write({ ...write, thread })).toMatchObject({ ok: true, ...expected })
    expect(wire.done).toBe(true)
    await expectOnce(write)
  })

  test.each(writes)('[WP10] a write is done once when it still waits for a lock: %s', async (_, write, expected) => {
    const locker = await lockThread()
    const writing = store.write({ ...write, thread })
    await waiters(1)
    wire.cutAll()
    await waiters(2)
    await locker.unlock()
    expect(await writing).toMatchObject({ ok: true, ...expected })
    await waiters(0)
    await expectOnce(write)
  })

  test.each(writes.filter(([, { entries }]) => entries.length > 0))(
    '[WP10] a lost answer is found again after writes of others: %s',
    async (_, write, expected) => {
      wire.cut('after', sentWrite, async () => {
        await other.write({ thread, entries: [submit(), submit()] })
        await other.write({ thread, entries: [], release: true })
        await other.write({ thread, entries: [], lease: { owner: 'another', ms: 60_000 } })
      })
      expect(await store.write({ ...write, thread })).toMatchObject({ ok: true, ...expected })
      expect(wire.done).toBe(true)
      await expectOnce(write, [submit(), submit()], 1)
    },
  )

  test('[W21] of two writes that settle a call without naming a head, and wait for the same lock, one succeeds', async () => {
    const locker = await lockThread()
    const writing = [store, other].map(one => one.write({ thread, entries: [settle(2)] }))
    await waiters(2)
    await locker.unlock()
    const refused = (await Promise.all(writing)).flatMap(written => (written.ok ? [] : written.why))
    expect(refused).toEqual(['settled'])
    expect((await other.get(thread)).openCalls).toBe(1)
    await expectSound(journal)
  })

  test('[WP10] a write that never arrived is refused because of what others wrote', async () => {
    store = await journal.reopen(server.url(wire.port), { prepare: false })
    wire.cut('before', sentWrite, () => other.write({ thread, entries: [submit('theirs', 'k')], input: theirs }))
    const written = await store.write({ thread, entries: [settle(2)], head: 2 })
    expect(written).toMatchObject({ ok: false, why: 'moved', row: { head: 3, openCalls: 2 } })
    wire.cut('before', sentWrite)
    const again = await store.write({ thread, entries: [submit('ours', 'k')], input: { key: 'k', digest: 'ours' } })
    expect(again).toMatchObject({ ok: false, why: 'known', known: { digest: 'theirs', seq: 3 } })
    expect(wire.done).toBe(true)
  })

  test('[WP10] a second submission is not taken for the first', async () => {
    // A statement that is prepared goes over the wire by its name alone.
    store = await journal.reopen(server.url(wire.port), { prepare: false })
    const write = { thread, entries: [submit('ours', 'k')], input: { key: 'k', digest: 'ours' } }
    wire.cut('after', sentWrite)
    expect(await store.write(write)).toMatchObject({ ok: true, head: 3 })
    wire.cut('after', sentWrite)
    expect(await store.write(write)).toMatchObject({ ok: false, why: 'known', known: { digest: 'ours', seq: 3 } })
    expect(wire.done).toBe(true)
  })

  test('[WP11] everything else is asked again', async () => {
    const asked: [string, () => Promise<unknown>, unknown][] = [
      ['FROM antiphon_name', () => store.find('t'), { thread }],
      ['INSERT INTO antiphon_name', () => store.open('new one'), { name: 'new one', head: 0 }],
      ['INSERT INTO antiphon_thread', () => store.open('newer one'), { name: 'newer one', head: 0 }],
      ['FROM antiphon_thread', () => store.get(thread), { thread, head: 2 }],
      ['FROM antiphon_entry', () => store.read(thread, 0), [{ seq: 1 }, { seq: 2 }]],
      ['due_at <=', () => store.due(5), []],
      ['thread >', () => store.list(0, 1), [{ thread }]],
    ]
    for (const [text, ask, answer] of asked) {
      wire.cut(
        'after',
        text.replace('antiphon_', () => `"${journal.schema.replaceAll('"', '""')}".antiphon_`),
      )
      expect(await ask()).toMatchObject(answer as object)
      expect(wire.done).toBe(true)
    }
    await expectSound(journal)
  })

  test('[WP11] a lease is made longer all the same', async () => {
    await store.write({ thread, entries: [], lease: { owner: 'a', ms: 1_000 } })
    wire.cut('after', 'SET leased_until')
    expect(await store.renew(thread, 1, 60_000)).toBe(true)
    expect(wire.done).toBe(true)
  })

  /** The write is in the journal once, and after it only what others wrote; nor was a lease taken twice. */
  async function expectOnce({ entries, lease }: Unbound, behind: EntryData[] = [], leases = 0): Promise<void> {
    const kinds = (await other.read(thread, 2)).map(({ kind }) => kind)
    expect(kinds).toEqual([...entries, ...behind].map(({ kind }) => kind))
    expect((await other.get(thread)).epoch).toBe((lease ? 1 : 0) + leases)
    await expectSound(journal)
  }

  /** Somebody holds the row of the thread, so that every writer has to wait. */
  async function lockThread(): Promise<{ unlock(): Promise<void> }> {
    const client = new pg.Client(server.url())
    await client.connect()
    await client.query(`SET search_path = "${journal.schema.replaceAll('"', '""')}"`)
    await client.query('BEGIN')
    await client.query('UPDATE antiphon_thread SET uid = uid WHERE thread = $1', [thread])
    return {
      unlock: async () => {
        await client.query('COMMIT')
        await client.end()
      },
    }
  }

  /** Until so many wait for a lock; the server does not notice that one of them has nobody left to answer. */
  async function waiters(count: number): Promise<void> {
    const question = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    while ((await server.sql(question))[0].count !== count) await sleep(5)
  }
})

describe('a server that goes down', () => {
  test('[WP12] no acknowledged write is lost, and nothing is stored twice', async () => {
    const journal = await openJournal(server)
    const stores = [journal.store, await journal.reopen()]
    const { thread: shared } = await journal.store.open('shared')
    const own = await Promise.all(range(0, 3).map(index => journal.store.open(`own ${index}`)))
    const acknowledged: string[] = []
    let down = true
    const writers = [
      ...own.map(({ thread }, index) => alone(stores[index % 2], thread)),
      ...range(0, 3).map(index => together(stores[index % 2], index)),
      ...range(0, 1).map(index => blindly(stores[index], index)),
    ]
    for (const again of [server.restart, server.crash, server.crash]) {
      const before = acknowledged.length
      while (acknowledged.length < before + 50) await sleep(5)
      await again()
    }
    down = false
    await Promise.all(writers)
    const found: string[] = []
    for (const { thread } of [{ thread: shared }, ...own]) {
      const entries = await journal.store.read(thread, 0, 1_000_000)
      found.push(...entries.map(entry => `${thread} ${entry.seq} ${(entry as { content?: unknown }).content}`))
    }
    expect(found.toSorted()).toEqual(acknowledged.toSorted())
    await expectSound(journal)
    await journal.close()

    async function alone(store: PostgresStore, thread: number): Promise<void> {
      for (let head = 0; down; head++) await add(store, { thread, entries: [submit(head)], head }, head)
    }

    async function together(store: PostgresStore, writer: number): Promise<void> {
      for (let count = 0; down; count++) {
        const key = `${writer} ${count}`
        await add(store, { thread: shared, entries: [submit(key, key)], input: { key, digest: '' } }, key)
      }
    }

    async function blindly(store: PostgresStore, writer: number): Promise<void> {
      for (let count = 0; down; count++) {
        const content = `blind ${writer} ${count}`
        await add(store, { thread: shared, entries: [submit(content)] }, content)
      }
    }

    async function add(store: PostgresStore, write: Write, content: unknown): Promise<void> {
      const written = await store.write(write)
      if (!written.ok) throw new Error(`refused, ${written.why}: ${JSON.stringify(write)}`)
      acknowledged.push(`${write.thread} ${written.head} ${content}`)
    }
  })
})

type Unbound = Omit<Write, 'thread'>

const theirs = { key: 'k', digest: 'theirs' }
const lease = { owner: 'a', ms: 60_000 }

/** What only a write says. */
const sentWrite = 'WITH turned AS'

/** All sorts of writes after two entries, the second of which has two calls; and what comes of them. */
const writes: [string, Unbound, object][] = [
  ['at a head', { entries: [submit(), submit()], head: 2 }, { head: 4, epoch: 0 }],
  ['at a head, with the lease', { entries: [submit()], head: 2, lease, state: 'running' }, { head: 3, epoch: 1 }],
  ['with a key', { entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } }, { head: 3, epoch: 0 }],
  ['with a key and a head', { entries: [submit('it', 'k')], head: 2, input: { key: 'k', digest: 'd' } }, { head: 3 }],
  ['with neither', { entries: [submit(), submit(), submit()], dueAt: 'now' }, { head: 5, epoch: 0 }],
  ['a start', { entries: [start(2), start(2, 1)], head: 2 }, { head: 4, epoch: 0 }],
  ['a settlement', { entries: [settle(2, 1)], head: 2 }, { head: 3, epoch: 0 }],
  ['a settlement without a head', { entries: [settle(2)] }, { head: 3, epoch: 0 }],
  ['settlements and the next words', { entries: [settle(2), settle(2, 1), admit(1)], head: 2 }, { head: 5 }],
  ['the lease alone', { entries: [], lease }, { head: 2, epoch: 1 }],
]
