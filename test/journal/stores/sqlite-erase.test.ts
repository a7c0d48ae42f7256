import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { eraseThread } from '../../../src/journal/erasure/erase-thread.ts'
import type { SqliteStore } from '../../../src/journal/stores/sqlite/store.ts'
import { respond, settle, submit } from '../sample-entries.ts'
import { range } from './contract/fixture.ts'
import { Folder } from './sqlite-folder.ts'

const folder = new Folder()

/** How often words are in the bytes of the files: the database, its WAL, and whatever else is there. */
function traces(words: string): number {
  const bytes = readdirSync(folder.path).map(name => readFileSync(folder.file(name)))
  return bytes.reduce((count, file) => count + file.toString('latin1').split(words).length - 1, 0)
}

/** A thread with short entries and long ones, inputs with keys, calls that were settled, and an owner. */
async function talk(store: SqliteStore, name: string, words: string): Promise<number> {
  const { thread } = await store.open(name)
  for (const revision of [1, 2])
    await store.describe(thread, { title: words.repeat(200 * revision), labels: [words], data: words, revision })
  for (const index of range(1, 30)) {
    const key = `key ${index} of ${words}`
    const content = `${words} ${'and so on '.repeat((index % 5) ** 5)}`
    await store.write({ thread, entries: [submit(content, key)], input: { key, digest: words } })
    const { head = 0 } = (await store.write({ thread, entries: [respond(1)] })) as { head?: number }
    await store.write({ thread, entries: [settle(head)], lease: { owner: `${words} ${index}`, ms: 0 } })
  }
  return thread
}

describe('the pages of the file', () => {
  test('[WS26] hold nothing of an erased thread, and neither does the WAL, while processes have it open', async () => {
    const store = await folder.open()
    const other = await folder.open()
    await talk(store, 'kept before', 'plain words')
    const gone = await talk(store, 'name of the secret', 'secret words')
    await talk(other, 'kept after', 'plain words')
    const plain = traces('plain words')
    expect(traces('secret')).toBeGreaterThan(100)
    expect(await eraseThread(other, gone, { limit: 20 })).toBe(true)
    expect(traces('secret')).toBe(0)
    expect(plain).toBeGreaterThan(0)
    for (const name of ['kept before', 'kept after']) {
      const { thread } = await store.open(name)
      expect(JSON.stringify(await store.read(thread, 0)).split('plain words')).toHaveLength(61)
    }
  })

  test('[WS26] hold nothing of threads that were written and erased at the same time as others', async () => {
    const store = await folder.open()
    const threads = await Promise.all(
      range(1, 20).map(async index => ({
        isGone: index % 2 === 0,
        thread: await talk(store, `name ${index}`, index % 2 === 0 ? 'secret words' : 'plain words'),
      })),
    )
    await Promise.all([
      ...threads.filter(({ isGone }) => isGone).map(({ thread }) => eraseThread(store, thread, { limit: 7 })),
      talk(store, 'meanwhile', 'plain words'),
    ])
    expect(traces('secret')).toBe(0)
  })

  test('[WS27] are given back to the file system', async () => {
    const store = await folder.open()
    const { thread } = await store.open('t')
    for (const _ of range(1, 30)) await store.write({ thread, entries: [submit('x'.repeat(200_000))] })
    const size = (): number => Object.values(folder.files()).reduce((sum, bytes) => sum + bytes, 0)
    expect(size()).toBeGreaterThan(6_000_000)
    await eraseThread(store, thread)
    expect(size()).toBeLessThan(200_000)
  })

  test('[WS27] are emptied in a file of an earlier release, which cannot give them back', async () => {
    const database = new DatabaseSync(folder.file())
    database.exec('CREATE TABLE before_antiphon (a)')
    database.close()
    const store = await folder.open()
    const thread = await talk(store, 'name of the secret', 'secret words')
    await eraseThread(store, thread)
    expect(traces('secret')).toBe(0)
  })

  test('[WS26] are written to the file when a reader that kept the WAL in use has ended', async () => {
    const store = await folder.open({ busyMs: 50 })
    const thread = await talk(store, 'name of the secret', 'secret words')
    const reader = new DatabaseSync(folder.file())
    reader.exec('BEGIN; SELECT count(*) FROM antiphon_entry')
    expect(await eraseThread(store, thread)).toBe(true)
    await expect(store.read(thread, 0)).rejects.toMatchObject({ code: 'thread-erased' })
    expect(traces('secret')).toBeGreaterThan(0)
    reader.exec('COMMIT')
    reader.close()
    await store.close()
    expect(traces('secret')).toBe(0)
  })

  test('[WS28] a name that an earlier release used again can be erased again', async () => {
    const store = await folder.open()
    await eraseThread(store, (await store.open('t')).thread)
    const database = new DatabaseSync(folder.file())
    // An earlier release looks for the name itself, and does not know tombstones.
    database.exec(
      "INSERT INTO antiphon_thread (name, uid, head, epoch, leased_until, state, created_at, updated_at) VALUES ('t', 'u', 0, 0, 0, 'idle', 0, 0)",
    )
    database.close()
    const again = await store.open('t')
    expect(await eraseThread(store, again.thread)).toBe(true)
    await expect(store.open('t')).rejects.toMatchObject({ code: 'thread-erased' })
    expect(await store.list(0, 10)).toEqual([])
  })
})
