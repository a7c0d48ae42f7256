import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseThread } from '../../../src/journal/erasure/erase-thread.ts'
import { openJournal, run } from '../../../src/journal/index.ts'
import { type Seal, sealKeysOf } from '../../../src/journal/seal/seal-keys.ts'
import { SealedStore } from '../../../src/journal/seal/sealed-store.ts'
import { columnParts } from '../../../src/journal/stores/entry-column.ts'
import { MemoryStore } from '../../../src/journal/stores/memory.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { FakeClock } from '../contract/fake-clock.ts'
import { checkJournal } from '../contract.ts'
import { everyKind, submit } from '../sample-entries.ts'
import { checkStore } from './contract.ts'
import { openJournal as openPostgresJournal } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { Folder } from './sqlite-folder.ts'

const folder = new Folder()
const key = randomBytes(32)
const sealed = (store: Store, seal: Seal = key): Store => new SealedStore(store, sealKeysOf(seal))

checkStore(
  'sealed sqlite',
  async () => {
    let now = Date.now()
    const reopen = async () => sealed(await folder.open({ now: () => now, durability: 'process' }))
    const advance = (ms: number) => {
      now += ms
    }
    return { store: await reopen(), reopen, advance, close: () => folder.clear() }
  },
  { crowd: 40, runs: 20 },
)

checkJournal('sealed memory', async () => {
  const clock = new FakeClock()
  const store = new MemoryStore({ now: clock.now })
  return { clock, open: async () => sealed(store), close: () => store.close() }
})

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const bytes = (): string =>
  readdirSync(folder.path)
    .map(name => readFileSync(folder.file(name)).toString('latin1'))
    .join('')

/** Every kind of entry, each text of which is a secret. */
const secrets = Object.values(everyKind).map(
  entry =>
    JSON.parse(JSON.stringify(entry), (name, value) =>
      typeof value === 'string' && !['kind', 'when', 'finish', 'status', 'state', 'why'].includes(name)
        ? `secret ${value}`
        : value,
    ) as typeof entry,
)
const lone = secrets.filter(({ kind }) => !['call-start', 'call-settle', 'response-record'].includes(kind))

describe('a sealed journal', () => {
  test('[SL1] has no text of a conversation in its file or its WAL, and is read as it was written', async () => {
    const where = `sqlite:${folder.file()}`
    const journal = await openJournal(where, { seal: key })
    const thread = journal.thread('the name', { for: 'openai' })
    await thread.submit('secret words', { key: 'the key' })
    const message = {
      ...{ role: 'assistant', content: 'secret answer' },
      tool_calls: [
        { id: 'secret-id', type: 'function', function: { name: 'secret_tool', arguments: '{"it":"secret"}' } },
      ],
    }
    const completion = (message: object, finish_reason: string) => ({
      ...{ id: 'c', object: 'chat.completion', created: 0, model: 'secret-model' },
      choices: [{ index: 0, message, finish_reason }],
    })
    let asked = 0
    const model = () =>
      ++asked === 1
        ? completion(message, 'tool_calls')
        : completion({ role: 'assistant', content: 'secret end' }, 'stop')
    await run(thread, { model, tools: { secret_tool: { execute: () => 'secret result' } } })
    await thread.compact({ summary: 'secret' })
    const row = await journal.store.open('all')
    await journal.store.write({ thread: row.thread, entries: lone })
    const messages = JSON.stringify(await thread.messages())
    expect(bytes()).not.toContain('secret')
    expect(bytes()).toContain('the name')
    await journal.close()
    expect(bytes()).not.toContain('secret')
    await using again = await openJournal(where, { seal: key })
    expect(JSON.stringify(await again.thread('the name').messages())).toBe(messages)
    expect(await again.store.read(row.thread, 0)).toMatchObject(lone)
    // The same input is one input, and another under its key is refused.
    expect(await again.thread('the name').submit('secret words', { key: 'the key' })).toMatchObject({ seq: 1 })
    await expect(again.thread('the name').submit('other', { key: 'the key' })).rejects.toMatchObject({
      code: 'key-taken',
    })
  })

  test('[SL1] has no text of a conversation in a table of PostgreSQL', async () => {
    const journal = await openPostgresJournal(server)
    const store = sealed(journal.store)
    const { thread } = await store.open('t')
    await store.write({ thread, entries: lone, input: { key: 'k', digest: 'secret digest' } })
    await store.write({ thread, entries: [submit('secret')] })
    const tables = ['entry', 'input', 'thread', 'name', 'open_call']
    const rows = await Promise.all(tables.map(table => journal.sql(`SELECT * FROM antiphon_${table}`)))
    expect(rows[0]).toHaveLength(lone.length + 1)
    expect(JSON.stringify(rows)).not.toContain('secret')
    expect(await store.read(thread, 0)).toMatchObject([...lone, submit('secret')])
    expect(await eraseThread(store, thread)).toBe(true)
    await journal.close()
  })

  test('[SL6] seals title and data of threads, also before the first entry, and keeps labels readable', async () => {
    const where = `sqlite:${folder.file()}`
    const journal = await openJournal(where, { seal: key })
    const thread = journal.thread('t')
    await thread.describe({ title: 'secret title', labels: ['support'], data: { note: 'secret note' } })
    await thread.submit('secret words')
    await thread.describe({ labels: ['support', 'seen'] })
    const metadata = { title: 'secret title', labels: ['support', 'seen'], data: { note: 'secret note' } }
    expect(await thread.metadata()).toEqual(metadata)
    expect(bytes()).not.toContain('secret')
    expect(bytes()).toContain('support')
    await journal.close()
    expect(bytes()).not.toContain('secret')
    let { labels } = metadata
    for (const options of [{}, { seal: randomBytes(32) }]) {
      await using wrong = await openJournal(where, options)
      const [row] = await wrong.store.list(0, 10)
      expect(row.metadata).toMatchObject({ labels, sealed: expect.anything() })
      expect(row.metadata).not.toHaveProperty('title')
      for (const use of [() => wrong.thread('t').metadata(), () => wrong.thread('t').describe({ title: 'other' })])
        await expect(use()).rejects.toMatchObject({ code: 'journal-sealed' })
      labels = [...labels, `more ${labels.length}`]
      await wrong.thread('t').describe({ labels })
    }
    await using again = await openJournal(where, { seal: key })
    const [row] = await again.store.list(0, 10)
    expect(row.metadata).toEqual({ ...metadata, labels, revision: 4 })
    expect(await again.thread('t').metadata()).toEqual({ ...metadata, labels })
  })

  test('[SL2] cannot be read without its key, or by a release that knows no seal', async () => {
    const where = `sqlite:${folder.file()}`
    const journal = await openJournal(where, { seal: key })
    await journal.thread('t').submit('secret words')
    await journal.close()
    for (const options of [{}, { seal: randomBytes(32) }]) {
      await using wrong = await openJournal(where, options)
      await expect(wrong.thread('t').messages()).rejects.toMatchObject({ code: 'journal-sealed' })
    }
    const database = new DatabaseSync(folder.file())
    const versions = database.prepare('SELECT version FROM antiphon_entry').all()
    database.close()
    expect(versions).toEqual([{ version: 1_501 }])
    for (const seal of [randomBytes(31), new Uint8Array()])
      await expect(openJournal('memory:', { seal })).rejects.toMatchObject({ code: 'wrong-number' })
  })

  test('[SL3] is lost in every copy when the key of a thread is destroyed', async () => {
    const keys = new Map<string, Uint8Array>()
    const keysOf = (thread: string) => {
      const own = keys.get(thread)
      if (!own) throw new Error('there is no such key')
      return sealKeysOf(own)
    }
    const seal: Seal = {
      wrap: async (threadKey, thread) => {
        keys.set(thread.thread, randomBytes(32))
        return keysOf(thread.thread).wrap(threadKey, thread)
      },
      unwrap: async (wrapped, thread) => keysOf(thread.thread).unwrap(wrapped, thread),
    }
    const where = `sqlite:${folder.file()}`
    const journal = await openJournal(where, { seal })
    for (const name of ['gone', 'kept']) await journal.thread(name).submit(`secret of ${name}`)
    await journal.close()
    keys.delete('gone')
    await using again = await openJournal(where, { seal })
    await expect(again.thread('gone').messages()).rejects.toMatchObject({ code: 'journal-sealed' })
    const { thread } = await again.store.open('kept')
    expect(await again.store.read(thread, 0)).toMatchObject([submit('secret of kept')])
  })

  test('[SL4] goes on with threads that began without a seal, as they are', async () => {
    const where = `sqlite:${folder.file()}`
    const plain = await openJournal(where)
    await plain.thread('old').submit('plain words')
    await plain.close()
    const journal = await openJournal(where, { seal: key })
    await journal.thread('old').submit('more plain words')
    await journal.thread('new').submit('secret words')
    await journal.close()
    expect(bytes()).not.toContain('secret')
    await using again = await openJournal(where)
    const { thread } = await again.store.open('old')
    expect(await again.store.read(thread, 0)).toMatchObject([submit('plain words'), submit('more plain words')])
  })

  test('[SL7] goes on with entries that are text, as earlier releases wrote them', async () => {
    const where = `sqlite:${folder.file()}`
    const journal = await openJournal(where, { seal: key })
    for (const text of ['one', 'two']) await journal.thread('t').submit(text)
    await journal.close()
    const database = new DatabaseSync(folder.file())
    const update = database.prepare('UPDATE antiphon_entry SET data = ?, version = 1001 WHERE seq = ?')
    for (const { seq, data } of database.prepare('SELECT seq, data FROM antiphon_entry').all()) {
      const { json, sealed } = columnParts(data)
      expect(sealed).toBeInstanceOf(Uint8Array)
      update.run(JSON.stringify({ ...JSON.parse(json), sealed }), Number(seq))
    }
    const typesOf = () => database.prepare('SELECT typeof(data) AS type, version FROM antiphon_entry').all()
    const text = { type: 'text', version: 1_001 }
    expect(typesOf()).toEqual([text, text])
    await using again = await openJournal(where, { seal: key })
    await again.thread('t').submit('three')
    const { waiting } = await again.thread('t').read()
    expect(waiting.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
    expect(typesOf()).toEqual([text, text, { type: 'blob', version: 1_501 }])
    database.close()
  })

  test('[SL5] notices entries that were exchanged between threads or changed', async () => {
    const inner = new MemoryStore()
    const store = sealed(inner)
    const rows = [await store.open('one'), await store.open('two')]
    for (const { thread } of rows) await store.write({ thread, entries: [submit('first')] })
    const [first] = await inner.read(rows[0].thread, 0)
    await inner.write({ thread: rows[1].thread, entries: [first] })
    await expect(store.read(rows[1].thread, 0)).rejects.toMatchObject({ code: 'journal-sealed' })
  })
})
