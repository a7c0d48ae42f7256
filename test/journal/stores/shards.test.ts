import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseThread } from '../../../src/journal/erasure/erase-thread.ts'
import { inSchema } from '../../../src/journal/stores/postgres/schema.ts'
import { PostgresShard } from '../../../src/journal/stores/postgres/shard.ts'
import { openPostgres, type PostgresOptions } from '../../../src/journal/stores/postgres/store.ts'
import { birthShard, localKey } from '../../../src/journal/stores/shards/keys.ts'
import { homeOf } from '../../../src/journal/stores/shards/layout.ts'
import { moveThread } from '../../../src/journal/stores/shards/move-thread.ts'
import { openShards } from '../../../src/journal/stores/shards/open-shards.ts'
import { type RebalanceOptions, rebalance } from '../../../src/journal/stores/shards/rebalance.ts'
import type { Store, ThreadRow } from '../../../src/journal/stores/store.ts'
import { admit, respond, start, submit } from '../sample-entries.ts'
import { range } from './contract/fixture.ts'
import { checkStore } from './contract.ts'
import { newSchema } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { startWire } from './postgres-wire.ts'
import { makeDatabases } from './shard-databases.ts'

let server: Server
let urls: string[] = []
beforeAll(async () => {
  server = await startServer()
  urls = await makeDatabases(server, 3)
})
afterAll(() => server.stop())

checkStore(
  'three shards',
  async () => {
    const stores: Store[] = []
    const schema = newSchema()
    const reopen = async () => {
      const store = await openShards(urls, { schema, connections: 4 })
      stores.push(store)
      return store
    }
    const close = async () => {
      for (const store of stores) await store.close()
    }
    return { store: await reopen(), reopen, close, isDivided: true }
  },
  { crowd: 30, runs: 10 },
)

const inPlace = (rows: readonly ThreadRow[], shards: number) => rows.map(({ name }) => homeOf(name, shards))

/** A journal in a schema of its own, and its databases one by one. */
function journalOf(list: readonly string[]) {
  const schema = newSchema()
  const open = (count = list.length, options: PostgresOptions = {}) =>
    openShards(list.slice(0, count), { schema, connections: 4, ...options })
  const single = (index: number, options: PostgresOptions = {}) =>
    openPostgres(list[index] ?? '', { schema, connections: 2, ...options })
  const move = (count = list.length, options: RebalanceOptions = {}) =>
    rebalance({ shards: list.slice(0, count) }, { schema, connections: 4, ...options })
  return { schema, open, single, move }
}

/** A part of a shard in which some methods are others. */
const hooked = (shard: PostgresShard, methods: Partial<Record<keyof PostgresShard, unknown>>): PostgresShard =>
  new Proxy(shard, {
    get(target, name) {
      const own = (methods as Record<PropertyKey, unknown>)[name] ?? Reflect.get(target, name, target)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })

const keyIn = (row: ThreadRow | undefined): number => row?.thread ?? 0

const quoted = (schema: string): string => `"${schema.replaceAll('"', '""')}"`

async function rowsIn(url: string, text: string): Promise<unknown[]> {
  const pool = new Pool({ connectionString: url, max: 1 })
  const { rows } = await pool.query(text)
  await pool.end()
  return rows
}

const names = range(1, 40).map(index => `thread ${index}`)

/** Threads with a few entries, an input key, open calls and metadata. */
async function fill(store: Store): Promise<Map<string, unknown>> {
  const pictures = new Map<string, unknown>()
  for (const [index, name] of names.entries()) {
    const { thread } = await store.open(name)
    await store.write({
      thread,
      entries: [submit(`words ${index}`, 'key')],
      input: { key: 'key', digest: 'd' },
      dueAt: 5,
    })
    await store.write({ thread, entries: [admit(1), respond(2)], state: 'parked' })
    await store.describe(thread, { revision: 1, title: name, labels: [] })
    pictures.set(name, await seen(store, name))
  }
  return pictures
}

/** What can be seen of a thread. A move is like a change of its owner. */
async function seen(store: Store, name: string): Promise<unknown> {
  const row = await store.find(name)
  if (!row) return undefined
  const { thread, epoch: _, ...rest } = row
  return { ...rest, entries: await store.read(thread, 0) }
}

describe('a list of shards', () => {
  test('[W120] divides threads evenly, and a longer list takes threads only to the new shards', () => {
    const many = range(1, 6_000).map(index => `user-${index}`)
    for (const shards of range(1, 6)) {
      const homes = many.map(name => homeOf(name, shards))
      for (const shard of range(1, shards)) {
        const share = homes.filter(home => home === shard).length / many.length
        expect(Math.abs(share * shards - 1)).toBeLessThan(0.15)
      }
      for (const [index, name] of many.entries()) expect([homes[index], shards + 1]).toContain(homeOf(name, shards + 1))
    }
  })

  test('[W120] the thread of an agent is in the shard of its parent', () => {
    for (const name of names) expect(homeOf(`${name}/agent:abc-3-0/agent:def-1-2`, 5)).toBe(homeOf(name, 5))
  })

  test('[W121] a shard that is away affects only its threads', async () => {
    const wire = await startWire(server.port)
    const far = (urls[1] ?? '').replace(`:${server.port}/`, `:${wire.port}/`)
    const journal = journalOf([urls[0] ?? '', far, urls[2] ?? ''])
    const store = await journal.open(3, { reconnectMs: 300 })
    await fill(store)
    await wire.close()
    const warnings: unknown[] = []
    const hear = (warning: unknown) => warnings.push(warning)
    process.on('warning', hear)
    const again = await journal.open(3, { reconnectMs: 300 })
    for (const opened of [store, again])
      for (const name of names.slice(0, 12)) {
        const found = opened.find(name)
        if (homeOf(name, 3) === 2) await expect(found).rejects.toMatchObject({ code: 'journal-unreachable' })
        else expect((await found)?.head).toBe(3)
      }
    const due = (await again.due(100)).map(({ name }) => homeOf(name, 3))
    expect(new Set(due)).toEqual(new Set([1, 3]))
    await expect(again.list(0, 10)).rejects.toMatchObject({ code: 'journal-unreachable' })
    expect(await again.now()).toBeGreaterThan(0)
    await store.close()
    await again.close()
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', hear)
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'ANTIPHON_SHARD' }))
  })

  test('[W121] the first use of a list waits for databases that answer late', async () => {
    const journal = journalOf(urls)
    const pool = new Pool({ connectionString: urls[1], max: 2 })
    let isAwake = false
    const late = {
      pool: {
        query: async (text: string, values: unknown[]) => {
          if (!isAwake) await sleep(2_500)
          isAwake = true
          return pool.query(text, values)
        },
      },
    }
    const store = await openShards([urls[0] ?? '', late, urls[2] ?? ''], { schema: journal.schema, connections: 4 })
    await store.close()
    await pool.end()
    const again = await journal.open()
    await fill(again)
    const rows = await Promise.all(names.map(name => again.find(name)))
    expect(new Set(rows.map(row => birthShard(row?.thread ?? 0)))).toEqual(new Set([1, 2, 3]))
    await again.close()
  })

  test('[W122] a list in another order, with another database, or too short is refused, and so is one of its databases alone', async () => {
    const journal = journalOf(urls)
    await (await journal.open()).close()
    const refusal = expect.objectContaining({ code: 'wrong-shard', hint: expect.any(String) })
    const { schema } = journal
    for (const list of [urls.toReversed(), [urls[0], urls[0]], urls.slice(0, 2), urls.slice(1)] as string[][])
      await expect(openShards(list, { schema }).then(store => store.list(0, 1))).rejects.toEqual(refusal)
    await expect(journal.single(1)).rejects.toEqual(refusal)
    await (await journal.single(1, { readOnly: true })).close()
    await expect(openShards([])).rejects.toMatchObject({ code: 'wrong-option' })
    const used = journalOf(urls)
    const plain = await used.single(1)
    await plain.open('t')
    await expect(used.open()).rejects.toEqual(refusal)
    await plain.close()
  })
})

describe('a list that grows', () => {
  test('[W123] threads are where they were until they are moved, and all is as before when they were', async () => {
    const journal = journalOf(urls)
    const plain = await journal.single(0)
    const before = await fill(plain)
    const erased = await plain.open('erased')
    await eraseThread(plain, erased.thread)
    await plain.close()
    const store = await journal.open()
    for (const name of names) expect(await seen(store, name)).toEqual(before.get(name))
    const told: unknown[] = []
    const dry = await journal.move(3, { dryRun: true, onMove: move => told.push(move) })
    const misplaced = names.filter(name => homeOf(name, 3) !== 1)
    expect(dry).toEqual({
      moved: misplaced.length,
      inPlace: names.length - misplaced.length,
      waiting: 0,
      isComplete: false,
    })
    expect(told).toHaveLength(misplaced.length)
    expect((await store.list(0, 100)).map(({ thread }) => birthShard(thread))).toEqual(names.map(() => 1))
    const keys = new Map((await store.list(0, 100)).map(row => [row.name, row.thread]))
    expect(await journal.move()).toMatchObject({ moved: misplaced.length, waiting: 0, isComplete: true })
    expect(await journal.move()).toMatchObject({ moved: 0, inPlace: names.length, isComplete: true })
    const fresh = await journal.open()
    for (const opened of [store, fresh]) {
      for (const name of names) expect(await seen(opened, name)).toEqual(before.get(name))
      expect(new Map((await opened.list(0, 100)).map(row => [row.name, row.thread]))).toEqual(keys)
      expect((await opened.due(100)).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
      for (const name of ['erased', names[0] ?? ''])
        if (name === 'erased') await expect(opened.open(name)).rejects.toMatchObject({ code: 'thread-erased' })
    }
    for (const index of [0, 1, 2]) {
      const shard = await journal.single(index, { readOnly: true })
      expect(new Set(inPlace(await shard.list(0, 100), 3))).toEqual(new Set([index + 1]))
      await shard.close()
    }
    for (const name of misplaced) {
      const { thread, head } = await store.open(name)
      expect(await store.write({ thread, entries: [], input: { key: 'key', digest: 'd' } })).toMatchObject({
        why: 'known',
      })
      expect(await store.write({ thread, entries: [start(head), start(head, 1)], head })).toMatchObject({ ok: true })
    }
    await store.close()
    await fresh.close()
  })

  test('[W124] a late writer on the old side is refused', async () => {
    const journal = journalOf(urls)
    const plain = await journal.single(0)
    await fill(plain)
    const name = names.find(name => homeOf(name, 3) === 3) ?? ''
    const { thread, epoch } = await plain.open(name)
    await plain.write({ thread, entries: [], lease: { owner: 'late', ms: 0 } })
    await journal.move()
    const moved = expect.objectContaining({ code: 'thread-moved', hint: expect.any(String) })
    const late = [
      () => plain.write({ thread, entries: [submit()] }),
      () => plain.write({ thread, entries: [], epoch: epoch + 1 }),
      () => plain.renew(thread, epoch + 1, 1_000),
      () => plain.describe(thread, { revision: 2, labels: [] }),
      () => plain.erase(thread),
      () => plain.read(thread, 0),
      () => plain.open(name),
    ]
    for (const write of late) await expect(write()).rejects.toEqual(moved)
    await plain.close()
  })

  test('[W125] what a mover has left that was killed is opened again, also without another one', async () => {
    const journal = journalOf(urls)
    const store = await journal.open(1)
    await store.close()
    const grown = await journal.open()
    const before = await fill(grown)
    const name = names.find(name => homeOf(name, 3) === 2) ?? ''
    const [from, to] = [await grown.place(1), await grown.place(2)]
    const { thread } = await grown.open(name)
    // As if it had been killed after it had begun to copy.
    const found = await from.shard.scanOne(localKey(thread, 1))
    const stuck = { ...to, shard: Object.assign(Object.create(to.shard), { beginCopy: () => new Promise(() => {}) }) }
    if (!found) throw new Error('the thread is not there')
    void moveThread(
      found,
      {
        ...from,
        shard: Object.assign(Object.create(from.shard), {
          beginMove: from.shard.beginMove.bind(from.shard),
          renewMove: async () => {},
        }),
      },
      stuck,
    )
    await sleep(200)
    expect(await seen(grown, name)).toEqual(before.get(name))
    expect((await grown.list(0, 100)).map(row => row.name)).toContain(name)
    expect(await grown.write({ thread, entries: [], dueAt: null })).toMatchObject({ ok: true })
    expect(await journal.move()).toMatchObject({ isComplete: true, waiting: 0 })
    await grown.close()
  })

  test('[W127] a thread that is due is found by workers again if its mover was killed, before or after the switch', async () => {
    const journal = journalOf(urls)
    await (await journal.open(1)).close()
    const grown = await journal.open()
    await fill(grown)
    // It only marks the shards: the list grows from now on.
    await journal.move(3, { signal: AbortSignal.abort() })
    const killed = {
      before: { from: { renewMove: async () => {} }, to: { beginCopy: () => new Promise(() => {}) } },
      after: { from: {}, to: { endMove: () => new Promise(() => {}) } },
    }
    const found: string[] = []
    for (const [index, { from, to }] of Object.values(killed).entries()) {
      const name = names.filter(name => homeOf(name, 3) === 2)[index] ?? ''
      const thread = keyIn(await grown.find(name))
      await grown.write({ thread, entries: [], dueAt: 'now' })
      const [left, entered] = [await grown.place(1), await grown.place(2)]
      const row = await left.shard.scanOne(localKey(thread, 1))
      if (!row) throw new Error('the thread is not there')
      void moveThread(
        row,
        { ...left, shard: hooked(left.shard, from) },
        { ...entered, shard: hooked(entered.shard, to) },
      )
      const isFenced = async () => (await left.shard.scanOne(localKey(thread, 1)))?.relocation?.phase
      await expect.poll(isFenced).toBe(index === 0 ? 'moving' : 'moved')
      found.push(name)
    }
    const worker = await journal.open()
    const dueNames = async () => (await worker.due(100)).map(({ name }) => name)
    await expect.poll(dueNames).toEqual(expect.arrayContaining(found))
    await worker.close()
    await grown.close()
  })

  test('[SE481] nothing is left of an erased thread that has moved, also where it moved from and in copies that were abandoned', async () => {
    const journal = journalOf(urls)
    await (await journal.open(1)).close()
    const store = await journal.open()
    await fill(store)
    const [name = '', other = ''] = names.filter(name => homeOf(name, 3) === 3)
    const [from, to] = [await store.place(1), await store.place(3)]
    const copied = await from.shard.scanOne(localKey((await store.open(other)).thread, 1))
    if (!copied) throw new Error('the thread is not there')
    // A mover that is killed when it has copied the thread, and again when it has opened the old one.
    const silent = { renewMove: async () => {}, commitMove: () => Promise.reject(new Error('killed')) }
    const stuck = hooked(to.shard, { dropArrived: async () => {} })
    const moved = moveThread(copied, { ...from, shard: hooked(from.shard, silent) }, { ...to, shard: stuck })
    await expect(moved).rejects.toThrow('killed')
    await eraseThread(store, keyIn(await store.find(other)))
    await journal.move()
    const key = keyIn(await store.find(name))
    await eraseThread(store, key)
    for (const url of urls)
      for (const table of ['name', 'thread', 'entry', 'input', 'open_call']) {
        const rows = await rowsIn(url, `SELECT * FROM ${quoted(journal.schema)}.antiphon_${table}`)
        const texts = rows.map(row => JSON.stringify(row))
        for (const gone of [name, other]) expect(texts.filter(text => text.includes(`"${gone}"`))).toEqual([])
        for (const gone of [name, other])
          expect(texts.filter(text => text.includes(`words ${names.indexOf(gone)}\\"`))).toEqual([])
      }
    const fresh = await journal.open()
    for (const opened of [store, fresh])
      for (const gone of [name, other]) {
        expect(await opened.find(gone)).toMatchObject({ state: 'erased', head: 0 })
        await expect(opened.open(gone)).rejects.toMatchObject({ code: 'thread-erased' })
      }
    await store.close()
    await fresh.close()
  })

  test('[SE482] what removes an abandoned copy late removes nothing of a later one', async () => {
    const journal = journalOf(urls)
    await (await journal.open(1)).close()
    const store = await journal.open()
    await fill(store)
    const name = names.find(name => homeOf(name, 3) === 2) ?? ''
    const [from, to] = [await store.place(1), await store.place(2)]
    const { thread } = await store.open(name)
    const found = await from.shard.scanOne(localKey(thread, 1))
    if (!found) throw new Error('the thread is not there')
    const pool = new Pool({ connectionString: urls[1], max: 2 })
    const { schema } = journal
    const late: (() => Promise<unknown>)[] = []
    /** Everything that the first try does to remove its copy waits, statement by statement. */
    const slow = new PostgresShard(work =>
      work(async (text, values) => {
        const query = async () => (await pool.query(inSchema(text, schema), [...values])).rows
        if (!text.includes('DELETE FROM antiphon_name')) return query()
        return new Promise((resolve, reject) => late.push(() => query().then(resolve, reject)))
      }),
    )
    const killed = { commitMove: () => Promise.reject(new Error('killed')) }
    const first = moveThread(found, { ...from, shard: hooked(from.shard, killed) }, { ...to, shard: slow })
    first.catch(() => {})
    while (late.length === 0) await sleep(10)
    const again = await from.shard.scanOne(found.thread)
    if (!again) throw new Error('the thread is not there')
    // The name is claimed by the second try, removed by the first, and claimed again.
    const second = new PostgresShard(work =>
      work(async (text, values) => {
        if (text.includes('INSERT INTO antiphon_thread')) for (const drop of late.splice(0)) await drop()
        return (await pool.query(inSchema(text, schema), [...values])).rows
      }),
    )
    expect(await moveThread(again, from, { ...to, shard: second })).toBe('moved')
    for (const drop of late.splice(0)) await drop()
    await expect(first).rejects.toThrow('killed')
    expect(await journal.move()).toMatchObject({ isComplete: true })
    const fresh = await journal.open()
    expect(await fresh.find(name)).toMatchObject({ thread, head: 3 })
    await fresh.close()
    await store.close()
    await pool.end()
  })

  test('[SE483] a first input that is written while threads move is found by the name of its thread', async () => {
    const journal = journalOf(urls)
    await (await journal.open(1)).close()
    const store = await journal.open()
    const name = names.find(name => homeOf(name, 3) === 2) ?? ''
    const { thread } = await store.open(name)
    const pool = new Pool({ connectionString: urls[0], max: 3 })
    let isWritten = false
    // Between the look at the thread and its move.
    const query = async (text: string, values: unknown[]) => {
      if (!isWritten && text.includes("SET state = 'erased', epoch = epoch + 1, owner")) {
        isWritten = true
        expect(await store.write({ thread, entries: [submit()], head: 0 })).toMatchObject({ ok: true })
      }
      return pool.query(text, values)
    }
    const list = [{ pool: { query } }, urls[1] ?? '', urls[2] ?? '']
    expect(await rebalance({ shards: list }, { schema: journal.schema, connections: 3 })).toMatchObject({
      isComplete: true,
    })
    expect(isWritten).toBe(true)
    const fresh = await journal.open()
    expect(await fresh.find(name)).toMatchObject({ thread, head: 1 })
    await fresh.close()
    await store.close()
    await pool.end()
  })

  test('[W126] threads that are made while others move are where they belong in the end, each once', async () => {
    const journal = journalOf(urls)
    const plain = await journal.single(0)
    await fill(plain)
    await plain.close()
    const stores = [await journal.open(), await journal.open()]
    const moving = journal.move()
    const made: string[] = []
    for (let isOver = false, index = 0; !isOver; index++) {
      const name = `new ${index}`
      const rows = await Promise.all(stores.map(store => store.open(name)))
      expect(new Set(rows.map(({ uid }) => uid)).size).toBe(1)
      await Promise.all(
        stores.map((store, nth) => store.write({ thread: rows[nth]?.thread ?? 0, entries: [submit()] })),
      )
      made.push(name)
      isOver = index > 20 && (await Promise.race([moving.then(() => true), sleep(0, false)]))
    }
    expect(await moving).toMatchObject({ isComplete: true })
    const rows = await stores[0]?.list(0, 1_000)
    expect(rows?.map(({ name }) => name).toSorted()).toEqual([...names, ...made].toSorted())
    for (const row of rows ?? []) if (made.includes(row.name)) expect(row.head).toBe(2)
    for (const index of [0, 1, 2]) {
      const shard = await journal.single(index, { readOnly: true })
      expect(inPlace(await shard.list(0, 1_000), 3).filter(home => home !== index + 1)).toEqual([])
      await shard.close()
    }
    for (const store of stores) await store.close()
  })
})
