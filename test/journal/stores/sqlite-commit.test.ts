import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import { connectSqlite, type SqliteConnectOptions } from '../../../src/journal/stores/sqlite/connect.ts'
import { GroupCommit } from '../../../src/journal/stores/sqlite/group-commit.ts'
import { prepareStatements } from '../../../src/journal/stores/sqlite/statements.ts'
import { SqliteStore } from '../../../src/journal/stores/sqlite/store.ts'
import type { WriteResult } from '../../../src/journal/stores/store.ts'
import { respond, submit } from '../sample-entries.ts'
import { Folder } from './sqlite-folder.ts'

const folder = new Folder()
const failure = (code: string) => expect.objectContaining({ code, hint: expect.any(String), cause: expect.any(Error) })
const options: SqliteConnectOptions = { durability: 'full', readOnly: false, busyMs: 5_000, now: Date.now }
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

/** A store that notes the size of every commit, and its first thread. */
async function noting() {
  const commits: number[] = []
  const store = await folder.open({ onCommit: changes => commits.push(changes) })
  const { thread } = await store.open('t')
  commits.length = 0
  return { store, thread, commits }
}

describe('group commit', () => {
  test('[WS10] writes that come together are committed together', async () => {
    const { store, thread, commits } = await noting()
    const writing = Array.from({ length: 1_000 }, () => store.write({ thread, entries: [submit()] }))
    expect(commits).toEqual([])
    await Promise.all(writing)
    expect(sum(commits)).toBe(1_000)
    expect(commits.length).toBeLessThan(10)
    expect(Math.max(...commits)).toBeLessThanOrEqual(256)
  })

  test('[WS10] writes that come one after the other are committed one by one', async () => {
    const { store, thread, commits } = await noting()
    for (let index = 1; index <= 5; index++) {
      await store.write({ thread, entries: [submit()] })
      expect(commits).toHaveLength(index)
    }
  })

  test('[WS10] sixty-four threads at once need far fewer commits than writes', async () => {
    const { store, commits } = await noting()
    const rows = await Promise.all(Array.from({ length: 64 }, (_, index) => store.open(`thread ${index}`)))
    commits.length = 0
    await Promise.all(
      rows.map(async ({ thread }) => {
        for (let head = 0; head < 20; head++) await store.write({ thread, entries: [submit()], head })
      }),
    )
    expect(sum(commits)).toBe(64 * 20)
    expect(commits.length).toBeLessThanOrEqual(64)
  })

  test('[WS10] a commit is bounded in bytes', async () => {
    const { store, thread, commits } = await noting()
    const content = 'x'.repeat(3_000_000)
    await Promise.all(Array.from({ length: 6 }, () => store.write({ thread, entries: [submit(content)] })))
    expect(commits).toEqual([2, 2, 2])
  })

  test('[WS11] when a commit fails, none of its writes is acknowledged, and each one is retried alone', async () => {
    const database = await connectSqlite(folder.file(), options)
    const statements = prepareStatements(database)
    const faults = [new Error('the disk is gone'), new Error('and again')]
    const commit = {
      run: () => {
        const fault = faults.shift()
        if (fault) throw fault
        return statements.commit.run()
      },
    }
    const commits: number[] = []
    const onCommit = (changes: number) => commits.push(changes)
    const faulty = { ...statements, commit: commit as typeof statements.commit }
    const batch = new GroupCommit(database, faulty, { busyMs: 100, check: () => {}, onCommit })
    const add = (name: string) => batch.add(() => statements.addThread.run(name, name, 0, 0).changes)
    const answers = await Promise.allSettled(['a', 'b', 'c'].map(add))
    expect(answers).toEqual([
      { status: 'rejected', reason: new Error('and again') },
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 1 },
    ])
    expect(commits).toEqual([1, 1])
    expect(statements.threadsAfter.all(0, 10).map(({ name }) => name)).toEqual(['b', 'c'])
    database.close()
  })

  test('[WS11] what was refused in a batch that failed is asked anew', async () => {
    const database = await connectSqlite(folder.file(), options)
    const batch = new GroupCommit(database, prepareStatements(database), {
      busyMs: 100,
      check: () => {},
      onCommit: () => {},
    })
    const refusals = [new AntiphonError('unknown-thread', 'not yet')]
    const faults = [new Error('the disk is gone')]
    const throwing = (errors: Error[]) => () => {
      const error = errors.shift()
      if (error) throw error
      return 'done'
    }
    expect(await Promise.all([batch.add(throwing(refusals)), batch.add(throwing(faults))])).toEqual(['done', 'done'])
    database.close()
  })
})

describe('no room', () => {
  /** A store that may grow by so many pages, until it is told that there is room again. */
  async function narrow(pages: number) {
    const database = await connectSqlite(folder.file(), options)
    const store = folder.keep(new SqliteStore(database))
    const { thread } = await store.open('t')
    const size = Number(database.prepare('PRAGMA page_count').get()?.page_count)
    database.exec(`PRAGMA max_page_count = ${size + pages}`)
    return { store, thread, makeRoom: () => database.exec('PRAGMA max_page_count = 1000000') }
  }

  test('[WS12] when the disk is full, no acknowledged write is lost, and writing continues once there is space', async () => {
    const { store, thread, makeRoom } = await narrow(40)
    const write = (index: number) => store.write({ thread, entries: [submit([index, 'x'.repeat(2_500)])] })
    const acknowledged: number[] = []
    let error: unknown
    for (let index = 0; !error; index++)
      await write(index).then(
        () => acknowledged.push(index),
        caught => {
          error = caught
        },
      )
    expect(error).toEqual(failure('journal-full'))
    expect(acknowledged.length).toBeGreaterThan(20)
    const stored = async () => (await store.read(thread, 0)).map(entry => (entry as unknown as Numbered).content[0])
    expect(await stored()).toEqual(acknowledged)
    expect((await store.get(thread)).head).toBe(acknowledged.length)
    await expect(write(-1)).rejects.toEqual(failure('journal-full'))
    makeRoom()
    await write(999)
    expect(await stored()).toEqual([...acknowledged, 999])
  })

  test('[WS12] a write that is too large does not fail the others in its commit, and leaves no trace', async () => {
    const { store, thread, makeRoom } = await narrow(40)
    const large = () =>
      store.write({
        ...{ thread, entries: [submit('x'.repeat(1_000)), respond(2), submit('y'.repeat(400_000), 'k')] },
        ...{ input: { key: 'k', digest: 'd' }, state: 'running', dueAt: 'now' },
      })
    const small = (text: string) => store.write({ thread, entries: [submit(text)] })
    const answers = await Promise.allSettled([small('one'), small('two'), large(), small('three')])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect((answers[2] as PromiseRejectedResult).reason).toEqual(failure('journal-full'))
    expect(await store.read(thread, 0)).toMatchObject([{ content: 'one' }, { content: 'two' }, { content: 'three' }])
    const row = await store.get(thread)
    expect(row).toMatchObject({ head: 3, state: 'idle', openCalls: 0 })
    expect(row).not.toHaveProperty('dueAt')
    makeRoom()
    expect(await large()).toMatchObject({ ok: true, head: 6 })
  })

  interface Numbered {
    readonly content: readonly [number, string]
  }
})

describe('another process has the lock', () => {
  /** Keeps the lock until it is let go. */
  function hold(): { letGo: () => void } {
    const database = new DatabaseSync(folder.file())
    database.exec('BEGIN IMMEDIATE')
    return { letGo: () => database.close() }
  }

  test('[WS13] a write waits for the lock without blocking the process, and reading does not wait', async () => {
    const store = await folder.open()
    const { thread } = await store.open('t')
    await store.write({ thread, entries: [submit()] })
    const { letGo } = hold()
    const answers: WriteResult[] = []
    const writing = [1, 2, 3].map(async () => answers.push(await store.write({ thread, entries: [submit()] })))
    await sleep(60)
    expect(await store.read(thread, 0)).toHaveLength(1)
    expect(await store.get(thread)).toMatchObject({ head: 1 })
    expect(answers).toEqual([])
    letGo()
    await Promise.all(writing)
    expect(answers).toMatchObject([2, 3, 4].map(head => ({ ok: true, head })))
  })

  test('[WS13] when it is not free in time the write fails, and nothing of it is stored', async () => {
    const store = await folder.open({ busyMs: 50 })
    const { thread } = await store.open('t')
    const { letGo } = hold()
    const write = () => store.write({ thread, entries: [submit()] })
    for (const answer of await Promise.allSettled([write(), write(), store.open('new'), store.renew(thread, 0, 1)]))
      expect(answer).toEqual({ status: 'rejected', reason: failure('journal-busy') })
    await expect(write()).rejects.toEqual(failure('journal-busy'))
    letGo()
    expect(await write()).toMatchObject({ ok: true, head: 1 })
    expect(await store.find('new')).toBeUndefined()
  })

  test('[WS13] a write that arrives while another one waits in vain does not fail with it', async () => {
    const store = await folder.open({ busyMs: 200 })
    const { thread } = await store.open('t')
    const { letGo } = hold()
    const write = () => store.write({ thread, entries: [submit()] })
    const first = expect(write()).rejects.toEqual(failure('journal-busy'))
    await sleep(50)
    const second = write()
    await first
    letGo()
    expect(await second).toMatchObject({ ok: true, head: 1 })
  })

  test('[WS13] opening waits for it too', async () => {
    const first = hold()
    await expect(folder.open({ busyMs: 50 })).rejects.toEqual(failure('journal-busy'))
    const opening = folder.open()
    await sleep(60)
    first.letGo()
    expect(await (await opening).list(0, 10)).toEqual([])
  })
})
