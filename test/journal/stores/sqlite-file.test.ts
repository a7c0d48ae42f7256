import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { connectSqlite, type SqliteConnectOptions } from '../../../src/journal/stores/sqlite/connect.ts'
import { fileIdentityCheck } from '../../../src/journal/stores/sqlite/file-identity.ts'
import { sqliteMigrations } from '../../../src/journal/stores/sqlite/schema.ts'
import { openSqlite, type SqliteOptions } from '../../../src/journal/stores/sqlite/store.ts'
import { sqliteWarning } from '../../../src/journal/stores/sqlite/wal-reset.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { endTurn, everyKind, submit } from '../sample-entries.ts'
import { Folder } from './sqlite-folder.ts'
import { entriesPerTurn, turnOf } from './turn.ts'

const folder = new Folder()
const failure = (code: string) => expect.objectContaining({ code, hint: expect.any(String) })

/** Opening must fail with that code, in one line that names what is wrong. */
async function expectRefused(file: string, code: string, options: SqliteOptions = {}): Promise<Error> {
  const error: unknown = await openSqlite(file, options).then(
    store => store.close(),
    error => error,
  )
  expect(error).toEqual(failure(code))
  expect((error as Error).message).toMatch(/^[^\n]{10,200}$/)
  return error as Error
}

/** A journal of so many entries, closed. */
async function written(entries: number, content = 'x'.repeat(1_000)): Promise<void> {
  const store = await folder.open()
  const { thread } = await store.open('t')
  await store.write({ thread, entries: Array.from({ length: entries }, () => submit(content)) })
  await store.close()
}

async function withDatabase<T>(use: (database: DatabaseSync) => T): Promise<T> {
  const database = new DatabaseSync(folder.file())
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** The file is looked at every ten milliseconds at most. */
const noticed = () => new Promise(resolve => setTimeout(resolve, 30))

describe('a file that is gone', () => {
  test.each([
    ['removed', () => rmSync(folder.file())],
    ['replaced', () => renameSync(folder.file('other.db'), folder.file())],
  ])('[WS16] %s while it is open: no write is acknowledged', async (_, takeAway) => {
    await (await folder.open({}, 'other.db')).close()
    const store = await folder.open()
    const { thread } = await store.open('t')
    await store.write({ thread, entries: [submit()] })
    takeAway()
    await noticed()
    const write = () => store.write({ thread, entries: [submit()] })
    expect(await Promise.allSettled([write(), write()])).toMatchObject([
      {
        status: 'rejected',
        reason: { code: 'journal-unreachable', message: expect.stringContaining('removed or replaced') },
      },
      { status: 'rejected', reason: { code: 'journal-unreachable' } },
    ])
  })
})

describe('the log next to the file', () => {
  const rejected = (name: string) => ({
    status: 'rejected',
    reason: { code: 'journal-unreachable', message: expect.stringContaining(`${name} was removed or replaced`) },
  })

  test.each(['-wal', '-shm'])(
    '[WS23] %s is removed: no write is acknowledged, and none that was is lost',
    async end => {
      const store = await folder.open()
      const { thread } = await store.open('t')
      for (const word of ['one', 'two', 'three']) await store.write({ thread, entries: [submit(word)] })
      rmSync(folder.file(`chat.db${end}`))
      await noticed()
      const write = () => store.write({ thread, entries: [submit('lost')] })
      expect(await Promise.allSettled([write(), write()])).toMatchObject([rejected(end), rejected(end)])
      // What would be there if the process were killed now.
      for (const name of Object.keys(folder.files()))
        copyFileSync(folder.file(name), folder.file(name.replace('chat', 'left')))
      const left = await folder.open({}, 'left.db')
      expect((await left.read(thread, 0)).map(entry => entry.kind === 'input-submit' && entry.content)).toEqual([
        ...['one', 'two', 'three'],
      ])
    },
  )

  test.each(['-wal', '-shm'])('[WS23] %s is replaced: no write is acknowledged', async end => {
    const store = await folder.open()
    const { thread } = await store.open('t')
    await store.write({ thread, entries: [submit()] })
    const path = folder.file(`chat.db${end}`)
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    await noticed()
    expect(await Promise.allSettled([store.write({ thread, entries: [submit()] })])).toMatchObject([rejected(end)])
  })

  test('[WS23] others that come and go leave it in its place', async () => {
    const store = await folder.open()
    const { thread } = await store.open('t')
    for (let round = 0; round < 5; round++) {
      const other = await folder.open()
      await other.write({ thread, entries: [submit()] })
      await other.close()
      const reader = await folder.open({ readOnly: true })
      await reader.close()
      await noticed()
      await store.write({ thread, entries: [submit()] })
    }
    expect(await store.read(thread, 0)).toHaveLength(10)
  })
})

test.each([
  ['to the file', 'chat.db', 'r1/chat.db', 'r2/chat.db'],
  ['to its folder', 'current/chat.db', 'r1', 'r2'],
])('[WS19] a link %s that now points elsewhere counts as a replaced file', async (_, path, before, behind) => {
  for (const name of ['r1', 'r2']) mkdirSync(folder.file(name))
  const link = folder.file(path.split('/')[0])
  symlinkSync(before, link)
  const store = await folder.open({}, path)
  const { thread } = await store.open('t')
  symlinkSync(behind, `${link}.new`)
  renameSync(`${link}.new`, link)
  await noticed()
  await expect(store.write({ thread, entries: [submit()] })).rejects.toEqual(failure('journal-unreachable'))
})

test('[WS19] a path that was relative is the same one in another folder, and an address of SQLite is one too', async () => {
  const home = process.cwd()
  const file = relative(home, folder.file())
  const stores = [await openSqlite(file), await openSqlite(`file:${folder.file()}?mode=rw`)].map(store =>
    folder.keep(store),
  )
  vi.spyOn(process, 'cwd').mockReturnValue(join(home, 'elsewhere'))
  for (const store of stores) await store.open(`t${stores.indexOf(store)}`)
  vi.restoreAllMocks()
  rmSync(folder.file())
  await noticed()
  for (const store of stores) await expect(store.open('u')).rejects.toEqual(failure('journal-unreachable'))
})

test('[WS19] a file that is not there from the start is not taken for one that is still there', () => {
  expect(fileIdentityCheck(folder.file('none.db'))).toThrow('removed or replaced')
})

describe('the event loop', () => {
  /** Reads a thread page by page, and counts how often others had a turn. */
  async function roundsOf(entries: number, size: number): Promise<number> {
    const store = await folder.open({ durability: 'process' })
    const { thread } = await store.open('t')
    await store.write({ thread, entries: Array.from({ length: entries }, () => submit('x'.repeat(size))) })
    let rounds = 0
    let next = setImmediate(function count() {
      rounds++
      next = setImmediate(count)
    })
    for (let head = 0; head < entries; ) head += (await store.read(thread, head, 500)).length
    clearImmediate(next)
    return rounds
  }

  test.each([
    ['a few large entries', 12, 3_000_000, 4],
    ['many that are not', 12_000, 2_000, 2],
  ])('[WS18] keeps running while a long thread is read: %s', async (_, entries, size, rounds) => {
    expect(await roundsOf(entries, size)).toBeGreaterThanOrEqual(rounds)
  })

  test('[WS18] does not delay a short read', async () => {
    expect(await roundsOf(1_000, 1_000)).toBe(0)
  })

  test('[WS20] keeps running during a series of writes without pauses', async () => {
    const store = await folder.open({ durability: 'process' })
    const { thread } = await store.open('t')
    let rounds = 0
    let next = setImmediate(function count() {
      rounds++
      next = setImmediate(count)
    })
    for (let head = 0; head < 20_000 && rounds < 3; head++) await store.write({ thread, entries: [submit()], head })
    clearImmediate(next)
    expect(rounds).toBe(3)
  })

  test('[WS20] does not delay a single write', async () => {
    const store = await folder.open({ durability: 'process' })
    const { thread } = await store.open('t')
    await new Promise(setImmediate)
    let isNextRound = false
    const next = setImmediate(() => {
      isNextRound = true
    })
    await store.write({ thread, entries: [submit()] })
    clearImmediate(next)
    expect(isNextRound).toBe(false)
  })
})

test('[WS17] the key of a removed thread is never given to another thread', async () => {
  const store = await folder.open()
  const { thread } = await store.open('one')
  await withDatabase(database => database.exec('DELETE FROM antiphon_thread'))
  expect((await store.open('another')).thread).toBeGreaterThan(thread)
  await expect(store.write({ thread, entries: [submit()] })).rejects.toMatchObject({ code: 'unknown-thread' })
})

describe('durability', () => {
  test.each([
    ['full', 2],
    ['process', 1],
  ] as const)('[WS1] %s is set, and read back', async (durability, level) => {
    const options: SqliteConnectOptions = { durability, readOnly: false, busyMs: 100, now: Date.now }
    const database = await connectSqlite(folder.file(), options)
    expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: level })
    expect({ ...database.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' })
    database.close()
  })

  test('[WS1] where it does not take, the journal is not opened', async () => {
    await expectRefused(':memory:', 'journal-not-durable')
  })

  test.each([
    ['3.51.2', true],
    ['3.50.4', true],
    ['3.9.0', true],
    ['2.99.99', true],
    ['3.51.3', false],
    ['3.52.0', false],
    ['3.53.4', false],
    ['4.0.0', false],
  ])('[WS2] a warning is given for SQLite releases that can damage the file: %s', (version, warned) => {
    expect(sqliteWarning(version)?.includes(version) ?? false).toBe(warned)
  })

  test('[WS2] the warning is given when a journal is opened', async () => {
    const warnings: string[] = []
    const store = await folder.open({ warn: warning => warnings.push(warning) })
    expect(warnings).toEqual([sqliteWarning(process.versions.sqlite ?? '')].filter(Boolean))
    await store.close()
  })
})

describe('the file', () => {
  test('[WS3] it is made if it is not there, and closing leaves it alone in its folder', async () => {
    await written(10)
    expect(Object.keys(folder.files())).toEqual(['chat.db'])
  })

  test('[WS3] the first of two that close it empties the log, the last one takes it away', async () => {
    const [one, other] = [await folder.open(), await folder.open()]
    const { thread } = await one.open('t')
    expect(folder.files()['chat.db-wal']).toBeGreaterThan(0)
    await one.close()
    expect(folder.files()['chat.db-wal']).toBe(0)
    await other.write({ thread, entries: [submit()] })
    await other.close()
    expect(Object.keys(folder.files())).toEqual(['chat.db'])
  })

  test('[WS4] a folder, a file in no folder and a file of another sort are refused in one line', async () => {
    expect((await expectRefused(folder.path, 'journal-unreachable')).message).toContain(folder.path)
    await expectRefused(folder.file('no/where.db'), 'journal-unreachable')
    writeFileSync(folder.file('notes.txt'), 'Dear diary, '.repeat(1_000))
    await expectRefused(folder.file('notes.txt'), 'journal-damaged')
    expect(readFileSync(folder.file('notes.txt'), 'utf8')).toBe('Dear diary, '.repeat(1_000))
  })

  test('[WS4] a damaged file is an error that says so, and no wrong answer', async () => {
    await written(500)
    const bytes = readFileSync(folder.file())
    writeFileSync(folder.file(), bytes.fill(0xa5, 20 * 4_096, 60 * 4_096))
    const store = await folder.open()
    await expect(store.read(1, 0)).rejects.toEqual(failure('journal-damaged'))
    await store.close()
    writeFileSync(folder.file(), bytes.subarray(0, 3 * 4_096 + 100))
    const reading = openSqlite(folder.file()).then(async store => {
      folder.keep(store)
      return store.read(1, 0)
    })
    await expect(reading).rejects.toEqual(failure('journal-damaged'))
  })

  test('[WS4] a journal that has lost a table is an error', async () => {
    await written(1)
    await withDatabase(database => database.exec('DROP TABLE antiphon_input'))
    await expectRefused(folder.file(), 'journal-failed')
  })

  test('[WS5] a journal can share a database with other tables', async () => {
    await withDatabase(database => database.exec('CREATE TABLE thread (a); INSERT INTO thread VALUES (7)'))
    await written(3)
    expect(
      await withDatabase(database =>
        database
          .prepare('SELECT a FROM thread')
          .all()
          .map(({ a }) => a),
      ),
    ).toEqual([7])
  })
})

describe('versions', () => {
  test('[WS6] migrations are numbered without gaps, and harmless when done again', async () => {
    expect(sqliteMigrations.map(({ version }) => version)).toEqual(sqliteMigrations.map((_, index) => index + 1))
    for (const entries of [1, 2]) await written(entries)
    const store = await folder.open()
    expect(await store.read(1, 0)).toHaveLength(3)
    const noted = await withDatabase(database => database.prepare('SELECT version FROM antiphon_migration').all())
    expect(noted.map(({ version }) => version)).toEqual(sqliteMigrations.map(({ version }) => version))
  })

  test('[WS7] a journal of a newer version is refused, and left as it is', async () => {
    await written(1)
    await withDatabase(database =>
      database.exec('INSERT INTO antiphon_migration VALUES (99, 0); PRAGMA journal_mode = DELETE'),
    )
    const before = readFileSync(folder.file())
    expect((await expectRefused(folder.file(), 'newer-journal')).message).toContain('99')
    await expectRefused(folder.file(), 'newer-journal', { readOnly: true })
    expect(readFileSync(folder.file()).equals(before)).toBe(true)
  })

  test('[WS7] an entry of a newer version is refused when it is read', async () => {
    await written(3)
    await withDatabase(database => database.exec('UPDATE antiphon_entry SET version = 99 WHERE seq = 2'))
    const store = await folder.open()
    expect(await store.read(1, 2)).toHaveLength(1)
    await expect(store.read(1, 0)).rejects.toEqual(failure('newer-journal'))
  })
})

describe('versions of entries', () => {
  test('[W91] each is stored with the version of its kind', async () => {
    const store = await folder.open()
    const { thread } = await store.open('t')
    const { 'rejection-learn': learn, 'branch-fork': fork, 'history-compact': compact } = everyKind
    await store.write({ thread, entries: [submit(), learn, fork, compact, endTurn] })
    expect((await store.read(thread, 0)).map(({ kind }) => kind)).toEqual([
      'input-submit',
      'rejection-learn',
      'branch-fork',
      'history-compact',
      'turn-end',
    ])
    const stored = await withDatabase(database => database.prepare('SELECT version FROM antiphon_entry').all())
    expect(stored.map(({ version }) => version)).toEqual([1, 2, 3, 4, 1])
  })
})

describe('reading alone', () => {
  test('[WS8] reads what others write, and writes nothing', async () => {
    const writer = await folder.open()
    const { thread } = await writer.open('t')
    const reader = await folder.open({ readOnly: true })
    await writer.write({ thread, entries: [submit()], dueAt: 'now' })
    for (const ask of asked(thread)) expect(await ask(reader)).toEqual(await ask(writer))
    await writer.close()
    expect(await reader.read(thread, 0)).toHaveLength(1)
    for (const change of changes(thread)) await expect(change(reader)).rejects.toEqual(failure('journal-read-only'))
    expect((await reader.open('t')).thread).toBe(thread)
  })

  test.each(['WAL', 'DELETE'])('[WS8] leaves the file as it is and alone in its folder, in mode %s', async mode => {
    await written(10)
    await withDatabase(database => database.exec(`PRAGMA journal_mode = ${mode}`))
    const before = readFileSync(folder.file())
    const reader = await folder.open({ readOnly: true })
    expect(await reader.read(1, 0)).toHaveLength(10)
    await reader.close()
    expect(readFileSync(folder.file()).equals(before)).toBe(true)
    expect(Object.keys(folder.files())).toEqual(['chat.db'])
  })

  test('[WS8] leaves a log to those whose it is', async () => {
    const writer = await folder.open()
    const { thread } = await writer.open('t')
    await writer.write({ thread, entries: [submit()] })
    const before = folder.files()
    const reader = await folder.open({ readOnly: true })
    expect(await reader.read(thread, 0)).toHaveLength(1)
    await reader.close()
    expect(folder.files()).toEqual(before)
  })

  test('[WS8] a writer that comes meanwhile keeps its log, and all that it writes', async () => {
    await written(3)
    const reader = await folder.open({ readOnly: true })
    const writer = await folder.open()
    const log = () => statSync(folder.file('chat.db-wal')).ino
    const before = log()
    await writer.write({ thread: 1, entries: [submit()] })
    await reader.close()
    await writer.write({ thread: 1, entries: [submit()] })
    expect(log()).toBe(before)
    await writer.close()
    expect(Object.keys(folder.files())).toEqual(['chat.db'])
    expect(await (await folder.open()).read(1, 0)).toHaveLength(5)
  })

  test('[WS8] makes no file and no tables', async () => {
    await expectRefused(folder.file(), 'journal-unreachable', { readOnly: true })
    expect(folder.files()).toEqual({})
    await withDatabase(database => database.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (a)'))
    await expectRefused(folder.file(), 'journal-damaged', { readOnly: true })
    expect(Object.keys(folder.files())).toEqual(['chat.db'])
    await withDatabase(database => database.exec('CREATE TABLE antiphon_migration (version, at)'))
    await withDatabase(database => database.exec('INSERT INTO antiphon_migration VALUES (0.5, 0)'))
    await expectRefused(folder.file(), 'older-journal', { readOnly: true })
  })

  type Use = (store: Store) => Promise<unknown>

  function asked(thread: number): Use[] {
    const entries: Use = store => store.read(thread, 0)
    const row: Use = store => store.get(thread)
    return [entries, row, store => store.find('t'), store => store.list(0, 10), store => store.due(10)]
  }

  function changes(thread: number): Use[] {
    const write: Use = store => store.write({ thread, entries: [] })
    return [write, store => store.open('new'), store => store.renew(thread, 0, 1)]
  }
})

describe('storage', () => {
  // The worst size is that of which two entries just do not fit into one page.
  test.each([20, 200, 1_000, 1_900, 6_000])(
    '[WS9] is less than twice as large as the content: %i bytes per message',
    async size => {
      const store = await folder.open({ durability: 'process' })
      const { thread } = await store.open('t')
      let payload = 0
      for (let turn = 1; turn <= 300; turn++)
        for (const write of turnOf(thread, turn, 'x'.repeat(size))) {
          payload += Buffer.byteLength(JSON.stringify(write.entries))
          const written = await store.write(write)
          if (!written.ok) throw new Error(written.why)
        }
      expect((await store.get(thread)).head).toBe(300 * entriesPerTurn)
      await store.close()
      const { 'chat.db': bytes, ...others } = folder.files()
      expect(others).toEqual({})
      expect(bytes / payload).toBeLessThan(2)
      expect(bytes / payload).toBeGreaterThan(1)
    },
  )
})
